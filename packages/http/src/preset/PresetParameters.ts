/**
 * Parameters of the preset operations in path and query. Numbers are read strictly: digits alone,
 * sent once, within their bounds; anything else is refused with the name of the parameter.
 */
import { describe, fromIssue } from "@verbatim/core/domain/schema/Problem"
import * as Rule from "@verbatim/core/domain/schema/Rule"
import { Effect, Schema, SchemaTransformation } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { Caller } from "../Authentication.ts"
import { PresetErrors } from "../ErrorBody.ts"
import { refuse } from "./PresetErrors.ts"

/** Most entries on one page. */
export const pageMax = 100

/** Entries on a page when the request does not say. */
export const pageDefault = 50

/** The largest number that every store counts to: 32 bits. */
export const countMax = 2_147_483_647

interface Bounds {
  readonly description: string
  readonly minimum: number
  readonly maximum: number
  readonly default?: number
}

/** A number written in decimal digits, which the description of the API shows as a number. */
const wholeNumber = (bounds: Bounds) =>
  Schema.String.annotate({
    // Only a parameter that is sent twice is not a string.
    message: "must be sent once",
    "x-schema": { type: "integer", ...bounds }
  })
    .check(Schema.isPattern(/^(?:0|-?[1-9]\d*)$/, { message: "must be an integer" }))
    .pipe(
      Schema.decodeTo(
        Schema.Number.check(Rule.numberAtLeast(bounds.minimum), Rule.numberAtMost(bounds.maximum)),
        SchemaTransformation.transform({ decode: Number, encode: String })
      )
    )

/** The number of a version. */
const versionNumber = (description: string) =>
  wholeNumber({ description, minimum: 1, maximum: countMax })

/** Judged by the service, in its turn: who may not write learns nothing about a slug. */
export const presetParams = {
  slug: Schema.String.annotate({
    description: "The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive."
  })
}

/** A version of a preset. */
export const versionParams = {
  ...presetParams,
  version: versionNumber("The number of the version, from 1.")
}

/** A page of a list. */
export const pageQuery = {
  offset: Schema.optionalKey(
    wholeNumber({
      description: "How many entries are passed over.",
      minimum: 0,
      maximum: countMax,
      default: 0
    })
  ),
  limit: Schema.optionalKey(
    wholeNumber({
      description: "Most entries in the answer.",
      minimum: 1,
      maximum: pageMax,
      default: pageDefault
    })
  )
}

/** Two versions to compare. */
export const diffQuery = {
  from: versionNumber("The number of the version to compare with."),
  to: versionNumber("The number of the version that is compared.")
}

/** The page that a query asks for. */
export const pageOf = (query: { readonly offset?: number; readonly limit?: number }) => ({
  offset: query.offset ?? 0,
  limit: query.limit ?? pageDefault
})

/** Refuses parameters that break their rules in the form of the preset errors. */
export class PresetParameterRules extends HttpApiMiddleware.Service<
  PresetParameterRules,
  { requires: Caller }
>()("@verbatim/http/preset/PresetParameters/PresetParameterRules", { error: PresetErrors[400] }) {
  static readonly layer = HttpApiMiddleware.layerSchemaErrorTransform(
    PresetParameterRules,
    (error) => {
      if (error.kind !== "Query" && error.kind !== "Params") return Effect.fail(error)
      const message = describe(fromIssue(error.cause.issue))
      return Effect.flatMap(Caller, (caller) => refuse(caller, { status: 400, message }))
    }
  )
}
