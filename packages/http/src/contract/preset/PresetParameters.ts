/** Defines the path and query parameters of the preset operations. */

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
import { Effect, Schema, SchemaTransformation, Struct } from "effect"
import { Sender } from "../Authentication.ts"
import { type PresetStatus as ErrorStatus, makePresetError, type PresetError } from "../Errors.ts"
import {
  makeChoice,
  makeNumber,
  makePathParameter,
  makeRawParameter,
  makeText,
  pageDefault,
  pageLimit
} from "../Parameters.ts"

export const refuse = <const Status extends ErrorStatus>(
  status: Status,
  message: string
): Effect.Effect<never, PresetError<Status>, Sender> =>
  Effect.flatMap(Sender, ({ userId }) => Effect.fail(makePresetError(status, { message, userId })))

/**
 * Returns a function that converts a refusal to an error with this status and the refusal's own
 * message.
 */
export const refuseAs =
  <const Status extends ErrorStatus>(status: Status) =>
  ({ message }: { readonly message: string }) =>
    refuse(status, message)

/**
 * Maximum offset or version number, which is the largest 32-bit integer. Every store supports it.
 */
export const countMax = 2_147_483_647

const pointRule = `must be a version number, a label, ${reservedNames.join(" or ")}`

/**
 * A body's reference to a version: its number or a label. `designated` and `latest` have the syntax
 * of labels.
 */
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

/** Names the rule that a reference breaks; undefined if the reference is valid. */
const findProblem = (text: string): string | undefined => {
  if (isWord(text)) return undefined
  if (!/^(?:0|-?[1-9]\d*)$/.test(text)) return pointRule
  if (Number(text) < 1) return "at least 1"
  return Number(text) > countMax ? `at most ${countMax}` : undefined
}

/** Creates a parameter that refers to a version. */
const makePoint = (description: string) =>
  Schema.String.annotate({
    // A parameter that was sent twice arrives as an array.
    message: "must be sent once",
    "x-schema": {
      anyOf: [
        { type: "integer", minimum: 1, maximum: countMax },
        { type: "string", pattern: labelPattern.source }
      ],
      description
    }
  })
    .check(Schema.makeFilter((text: string) => findProblem(text)))
    .pipe(
      Schema.decodeTo(
        Schema.Union([Schema.Number, Schema.String]),
        SchemaTransformation.transform({
          decode: (text: string): VersionSelector => (isWord(text) ? text : Number(text)),
          encode: (point: VersionSelector) => String(point)
        })
      )
    )

const makeVersionNumber = (description: string) =>
  makeNumber({ description, minimum: 1, maximum: countMax })

/** A slug's syntax, as shown in the API description. */
export const slugShape = {
  type: "string",
  minLength: 1,
  maxLength: slugMax,
  pattern: "^(?!\\.{1,2}$)[A-Za-z0-9._~-]+$"
} as const

/**
 * The service checks the key before the slug, so that callers without permission to write learn
 * nothing about presets.
 */
export const presetParams = {
  slug: makePathParameter({
    ...slugShape,
    description:
      "The name of the preset: 1 to 255 characters of `A-Z a-z 0-9 . _ ~ -`, case-sensitive."
  })
}

export const versionParams = {
  ...presetParams,
  version: makeVersionNumber("The number of the version, from 1.")
}

export const pageQuery = Struct.map(
  {
    offset: makeNumber({
      description: "Number of entries to skip.",
      minimum: 0,
      maximum: countMax,
      default: 0
    }),
    limit: pageLimit
  },
  Schema.optionalKey
)

/** Query parameters that filter a list of presets. The service validates labels and texts. */
export const listQuery = Struct.map(
  {
    label: makeText({
      // `designated` and `latest` match the pattern but are not labels.
      pattern: labelPattern.source,
      description: "Only presets with this label."
    }),
    text: makeText({
      maxLength: searchMax,
      description:
        "Only presets with this text in their slug, name or description; ASCII letters match in " +
        "either case."
    }),
    status: makeChoice(PresetStatus, {
      description: "Only presets with this status."
    })
  },
  Schema.optionalKey
)

const flag = { type: "string", enum: ["true", "false"], default: "false" }

/**
 * Query parameters for creating a version, declared only for the API description. The handler
 * validates them together with the body, so callers without permission to write learn nothing about
 * presets.
 */
export const creationQuery = {
  dry_run: makeRawParameter({ ...flag, description: "With `true`, nothing is stored." }),
  stage: makeRawParameter({
    ...flag,
    description:
      "With `true`, the version is stored but not designated, unless the preset is new. Takes " +
      "precedence over `Prefer`."
  }),
  comment: makeRawParameter({
    maxLength: commentMax,
    description: "The author's comment, shown with the version."
  }),
  wins: makeRawParameter({
    description:
      "Fields of the version that override the same fields of requests, separated by commas. For " +
      "clients that always send these fields.",
    example: "service_tier,temperature"
  })
}

/** The query of a create request before it is validated. */
export type CreationQuery = Schema.Struct<typeof creationQuery>["Type"]

/** Query parameters that name two versions to compare. */
export const diffQuery = {
  from: makePoint("The old version: its number, a label, `designated` or `latest`."),
  to: makePoint("The new version: its number, a label, `designated` or `latest`."),
  slug: Schema.optionalKey(
    makeText({
      ...slugShape,
      description: "The preset of `to`; the preset in the path if omitted."
    })
  )
}

/** Returns the requested offset and page size, or their defaults. */
export const toPage = (query: { readonly offset?: number; readonly limit?: number }) => ({
  offset: query.offset ?? 0,
  limit: query.limit ?? pageDefault
})
