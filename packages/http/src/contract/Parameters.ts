/**
 * Builds path, query and header parameters, and fields that many responses share. A parameter must
 * be sent only once and be within its bounds, and a number must consist of plain digits. Otherwise,
 * the request is refused with a message that names the parameter.
 */

import { ManagementKeyRequired } from "@verbatim/core/preset"
import { describe, fromIssue, Rule } from "@verbatim/core/schema"
import { Effect, type Layer, Option, Schema, SchemaTransformation } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { Caller, findScopes, Sender } from "./Authentication.ts"
import { makePresetError } from "./Errors.ts"

export const uuid = Schema.String.annotate({ format: "uuid" })

/** A timestamp in a response: ISO 8601 in UTC with milliseconds. */
export const instant = Schema.String.annotate({ format: "date-time" })

export const textField = (description: string) => Schema.String.annotate({ description })

export const countField = (description: string) => Schema.Int.annotate({ description })

export const flagField = (description: string) => Schema.Boolean.annotate({ description })

/** Creates a nullable field. The description should say when the field is null. */
export const orNull = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.NullOr(schema).annotate({ description })

/**
 * Creates an optional field that accepts null as omitted, so clients can send a response back
 * unchanged.
 */
export const optionalOrNull = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(orNull(schema, description))

/** The schema of a parameter, as the API description shows it. */
type Shape = Readonly<Record<string, unknown>>

/** Creates a path parameter that the service validates. */
export const makePathParameter = (shape: Shape) =>
  Schema.String.annotate({ "x-schema": { type: "string", ...shape } })

/** Creates an optional header that its handler validates. */
export const makeHeader = (shape: Shape) => Schema.optionalKey(makePathParameter(shape))

/** Builds the schema of the `Idempotency-Key` header. The service validates the value. */
export const makeIdempotencyHeader = (sentence: string) =>
  makeHeader({
    pattern: "^[!-~]{1,255}$",
    description: `1 to 255 visible ASCII characters. ${sentence}`
  })

/** The value of a parameter, or all values if it was sent more than once. */
export type RawParameter = string | ReadonlyArray<string>

/** Creates a query parameter that its handler validates. */
export const makeRawParameter = (shape: Shape) =>
  Schema.optionalKey(
    Schema.Union([Schema.String, Schema.Array(Schema.String)]).annotate({
      "x-schema": { type: "string", ...shape }
    })
  )

/** Joins the values of a repeated parameter. No rule accepts the joined string. */
export const toOneText = (value: RawParameter | undefined): string | undefined =>
  value === undefined || typeof value === "string" ? value : value.join(", ")

/** Maximum number of entries per page. */
const pageMax = 100

/** Default number of entries per page. */
export const pageDefault = 50

interface Bounds {
  readonly description: string
  readonly minimum: number
  readonly maximum: number
  readonly default?: number
}

export const makeText = (shape: Shape) =>
  Schema.String.annotate({
    // A parameter that was sent twice arrives as an array.
    message: "must be sent once",
    "x-schema": { type: "string", ...shape }
  })

/**
 * Creates a parameter that must consist of decimal digits. The API description shows an integer.
 */
export const makeNumber = (bounds: Bounds) =>
  makeText({ ...bounds, type: "integer" })
    .check(Schema.isPattern(/^(?:0|-?[1-9]\d*)$/, { message: "must be an integer" }))
    .pipe(
      Schema.decodeTo(
        Schema.Number.check(Rule.numberAtLeast(bounds.minimum), Rule.numberAtMost(bounds.maximum)),
        SchemaTransformation.transform({ decode: Number, encode: String })
      )
    )

/**
 * Creates a parameter with a fixed set of values. The type remains a string, so that unknown values
 * and repeated parameters get different messages.
 */
export const makeChoice = <const Words extends ReadonlyArray<string>>(
  words: Schema.Literals<Words>,
  shape: Shape
) =>
  makeText({ enum: words.literals, ...shape })
    .check(
      Schema.makeFilter((text: string) => words.literals.includes(text), {
        message: `must be one of ${words.literals.join(", ")}`
      })
    )
    .pipe(
      Schema.decodeTo(
        words,
        SchemaTransformation.transform({
          decode: (text) => text as Words[number],
          encode: (word): string => word
        })
      )
    )

export const pageLimit = makeNumber({
  description: "Maximum number of entries in the answer.",
  minimum: 1,
  maximum: pageMax,
  default: pageDefault
})

/** Builds the schema, with an example, of a response that contains one view. */
export const makeAnswer = <S extends Schema.Top>(view: S, example: S["Type"]) =>
  Schema.Struct({ data: view }).annotate({
    examples: [{ data: example }] as never
  })

const total = countField("Total number of entries on all pages.")

/** Builds the schema, with an example, of a response that contains a page of views. */
export const makePage = <S extends Schema.Top>(view: S, example: S["Type"]) =>
  Schema.Struct({ data: Schema.Array(view), total_count: total }).annotate({
    examples: [{ data: [example], total_count: 1 }] as never
  })

/**
 * Refuses invalid parameters in the preset error format. Parameters of operations that write
 * presets are validated only for callers who are allowed to write.
 */
export class ParameterRules extends HttpApiMiddleware.Service<
  ParameterRules,
  { requires: Sender }
>()("@verbatim/http/Parameters/ParameterRules") {
  static readonly layer: Layer.Layer<ParameterRules> = HttpApiMiddleware.layerSchemaErrorTransform(
    ParameterRules,
    Effect.fnUntraced(function* (error, { endpoint, group }) {
      if (error.kind !== "Query" && error.kind !== "Params") return yield* Effect.fail(error)
      const { userId } = yield* Sender
      const caller = yield* Effect.serviceOption(Caller)
      const isForbidden =
        findScopes(group, endpoint).includes("presets:write") &&
        Option.isSome(caller) &&
        caller.value.kind !== "management"
      const status = isForbidden ? 403 : 400
      const message = isForbidden
        ? new ManagementKeyRequired().message
        : describe(fromIssue(error.cause.issue))
      return HttpServerResponse.jsonUnsafe(makePresetError(status, { message, userId }), { status })
    })
  )
}
