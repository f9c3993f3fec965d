/**
 * Parameters in path and query, read strictly: sent once, digits alone where a number is expected,
 * within their bounds. Anything else is refused with the name of the parameter.
 */
import { Rule } from "@verbatim/core/schema"
import { Schema, SchemaTransformation } from "effect"

/** Most entries on one page. */
const pageMax = 100

/** Entries on a page when the request does not say. */
export const pageDefault = 50

interface Bounds {
  readonly description: string
  readonly minimum: number
  readonly maximum: number
  readonly default?: number
}

/** Makes a text. The description of the API shows it as it is told. */
export const makeText = (shape: Readonly<Record<string, unknown>>) =>
  Schema.String.annotate({
    // A parameter is not a string only when it is sent twice.
    message: "must be sent once",
    "x-schema": { type: "string", ...shape }
  })

/** Makes a number in decimal digits. The description of the API shows it as a number. */
export const makeNumber = (bounds: Bounds) =>
  makeText({ ...bounds, type: "integer" })
    .check(Schema.isPattern(/^(?:0|-?[1-9]\d*)$/, { message: "must be an integer" }))
    .pipe(
      Schema.decodeTo(
        Schema.Number.check(Rule.numberAtLeast(bounds.minimum), Rule.numberAtMost(bounds.maximum)),
        SchemaTransformation.transform({ decode: Number, encode: String })
      )
    )

/** How many entries a page has. */
export const pageLimit = Schema.optionalKey(
  makeNumber({
    description: "Most entries in the answer.",
    minimum: 1,
    maximum: pageMax,
    default: pageDefault
  })
)
