/**
 * How requests name a version of a preset: by its number, by a label, or as `designated` or
 * `latest`. In a body a number is a number; in a query it is written in digits.
 */
import type { VersionPoint } from "@verbatim/core/preset"
import { Integer, Rule } from "@verbatim/core/schema"
import { isLabelName, reservedNames } from "@verbatim/core/workspace"
import { labelPattern } from "@verbatim/resolution"
import { Schema, SchemaTransformation } from "effect"

/** The largest number that every store can hold: 32 bits. */
export const countMax = 2_147_483_647

const rule = `must be a version number, a label, ${reservedNames.join(" or ")}`

/** A version as a body names it. `designated` and `latest` have the form of labels. */
export const PointBody = Schema.Union([
  Integer.check(Rule.numberAtLeast(1), Rule.numberAtMost(countMax)),
  Schema.String.check(
    Schema.makeFilter((text: string) => labelPattern.test(text), {
      message: rule,
      toJsonSchema: () => ({ pattern: labelPattern.source })
    })
  )
]).annotate({ message: rule })

const isWord = (text: string): boolean => isLabelName(text) || reservedNames.includes(text)

/** Which rule a text breaks; undefined when it names a version. */
const problemOf = (text: string): string | undefined => {
  if (isWord(text)) return undefined
  if (!/^(?:0|-?[1-9]\d*)$/.test(text)) return rule
  if (Number(text) < 1) return "at least 1"
  return Number(text) > countMax ? `at most ${countMax}` : undefined
}

/** Makes a parameter that names a version. */
export const makePoint = (description: string) =>
  Schema.String.annotate({
    // A parameter is not a string only when it is sent twice.
    message: "must be sent once",
    "x-schema": {
      anyOf: [
        { type: "integer", minimum: 1, maximum: countMax },
        { type: "string", pattern: labelPattern.source }
      ],
      description
    }
  })
    .check(Schema.makeFilter((text: string) => problemOf(text)))
    .pipe(
      Schema.decodeTo(
        Schema.Union([Schema.Number, Schema.String]),
        SchemaTransformation.transform({
          decode: (text: string): VersionPoint => (isWord(text) ? text : Number(text)),
          encode: (point: VersionPoint) => String(point)
        })
      )
    )
