/**
 * Parameters of the preset operations in path and query.
 */

import {
  commentMax,
  PresetStatus,
  searchMax,
  slugMax,
  type VersionSelector
} from "@verbatim/core/preset"
import { Integer, Rule } from "@verbatim/core/schema"
import { isLabelName, reservedNames } from "@verbatim/core/workspace"
import { labelPattern } from "@verbatim/resolution"
import { Effect, Schema, SchemaTransformation } from "effect"
import { Sender } from "../Authentication.ts"
import { type PresetStatus as ErrorStatus, makePresetError, type PresetError } from "../Errors.ts"
import {
  makeChoice,
  makeNumber,
  makeRawParameter,
  makeText,
  pageDefault,
  pageLimit
} from "../Parameters.ts"

/** Refuses with a sentence. */
export const refuse = <const Status extends ErrorStatus>(
  status: Status,
  message: string
): Effect.Effect<never, PresetError<Status>, Sender> =>
  Effect.flatMap(Sender, ({ userId }) => Effect.fail(makePresetError(status, { message, userId })))

/** Refuses with the refusal's own sentence. */
export const refuseAs =
  <const Status extends ErrorStatus>(status: Status) =>
  ({ message }: { readonly message: string }) =>
    refuse(status, message)

/** The largest number that every store can hold: 32 bits. */
export const countMax = 2_147_483_647

const pointRule = `must be a version number, a label, ${reservedNames.join(" or ")}`

/** A version as a body names it. `designated` and `latest` have the form of labels. */
export const PointBody = Schema.Union([
  Integer.check(Rule.numberAtLeast(1), Rule.numberAtMost(countMax)),
  Schema.String.check(
    Schema.makeFilter((text: string) => labelPattern.test(text), {
      message: pointRule,
      toJsonSchema: () => ({ pattern: labelPattern.source })
    })
  )
]).annotate({ message: pointRule })

const isWord = (text: string): boolean => isLabelName(text) || reservedNames.includes(text)

/** Which rule a text breaks; undefined when it names a version. */
const problemOf = (text: string): string | undefined => {
  if (isWord(text)) return undefined
  if (!/^(?:0|-?[1-9]\d*)$/.test(text)) return pointRule
  if (Number(text) < 1) return "at least 1"
  return Number(text) > countMax ? `at most ${countMax}` : undefined
}

/** Makes a parameter that names a version. */
const makePoint = (description: string) =>
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
          decode: (text: string): VersionSelector => (isWord(text) ? text : Number(text)),
          encode: (point: VersionSelector) => String(point)
        })
      )
    )

/** Makes the number of a version. */
const makeVersionNumber = (description: string) =>
  makeNumber({ description, minimum: 1, maximum: countMax })

/** The form of a slug, for the description. */
export const slugShape = {
  type: "string",
  minLength: 1,
  maxLength: slugMax,
  pattern: "^(?!\\.{1,2}$)[A-Za-z0-9._~-]+$"
} as const

/** The service judges the slug, after the key: callers who may not write learn nothing of it. */
export const presetParams = {
  slug: Schema.String.annotate({
    "x-schema": {
      ...slugShape,
      description: "The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive."
    }
  })
}

/** A version of a preset. */
export const versionParams = {
  ...presetParams,
  version: makeVersionNumber("The number of the version, from 1.")
}

/** A page of a list. */
export const pageQuery = {
  offset: Schema.optionalKey(
    makeNumber({
      description: "How many entries are passed over.",
      minimum: 0,
      maximum: countMax,
      default: 0
    })
  ),
  limit: pageLimit
}

/** A page of presets. The service judges what labels and texts may be. */
export const listQuery = {
  ...pageQuery,
  label: Schema.optionalKey(
    makeText({
      // The rest of the rule is the words that name a version without a label.
      pattern: labelPattern.source,
      description: "Only presets that have this label are listed and counted."
    })
  ),
  text: Schema.optionalKey(
    makeText({
      maxLength: searchMax,
      description:
        "Only presets with this text in their slug, name or description are listed and counted; " +
        "ASCII letters may be of either case."
    })
  ),
  status: Schema.optionalKey(
    makeChoice(PresetStatus, {
      description: "Only presets of this status are listed and counted."
    })
  )
}

const flag = { type: "string", enum: ["true", "false"], default: "false" }

/**
 * How a request to store a preset is meant, as the description shows it. It is judged with the
 * body, so that callers who may not write learn nothing of it.
 */
export const creationQuery = {
  dry_run: makeRawParameter({ ...flag, description: "With `true`, nothing is stored." }),
  stage: makeRawParameter({
    ...flag,
    description:
      "With `true`, the version is stored and the designated one stays, unless the preset is " +
      "new. It counts before `Prefer`."
  }),
  comment: makeRawParameter({
    type: "string",
    maxLength: commentMax,
    description: "What the author says about the version, which shows it."
  }),
  wins: makeRawParameter({
    type: "string",
    description:
      "Fields of the version that count in place of a request's own, separated by commas: for " +
      "clients that always send them.",
    example: "service_tier,temperature"
  })
}

/** The same as it arrives. */
export type CreationQuery = Schema.Struct<typeof creationQuery>["Type"]

/** Two versions to compare. */
export const diffQuery = {
  from: makePoint("The version to compare with: its number, a label, `designated` or `latest`."),
  to: makePoint("The version that is compared: its number, a label, `designated` or `latest`."),
  slug: Schema.optionalKey(
    makeText({
      ...slugShape,
      description: "The preset that `to` is of; the same one when it is left out."
    })
  )
}

/** Turns a query into the page it asks for. */
export const toPage = (query: { readonly offset?: number; readonly limit?: number }) => ({
  offset: query.offset ?? 0,
  limit: query.limit ?? pageDefault
})
