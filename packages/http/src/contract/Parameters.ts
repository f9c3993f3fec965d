/**
 * Parameters in path, query and headers, and the fields that many answers have. A parameter is read
 * strictly: sent once, digits alone where a number is expected, within its bounds. Anything else is
 * refused with its name.
 */

import { ManagementKeyRequired } from "@verbatim/core/preset"
import { describe, fromIssue, Rule } from "@verbatim/core/schema"
import { Effect, type Layer, Option, Schema, SchemaTransformation } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { Caller, Sender, scopesOf } from "./Authentication.ts"
import { makePresetError } from "./Errors.ts"

export const uuid = Schema.String.annotate({ format: "uuid" })

/** ISO 8601 in UTC with milliseconds. */
export const instant = Schema.String.annotate({ format: "date-time" })

/** A field that may be null, and when it is. */
export const orNull = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.NullOr(schema).annotate({ description })

/** Makes the header's schema with a sentence on what it does. The service judges its value. */
export const makeIdempotencyHeader = (sentence: string) =>
  Schema.optionalKey(
    Schema.String.annotate({
      "x-schema": {
        type: "string",
        pattern: "^[!-~]{1,255}$",
        description: `1 to 255 visible ASCII characters. ${sentence}`
      }
    })
  )

/** One as it comes. */
export type RawParameter = string | ReadonlyArray<string>

/** Makes one, of the shape that the description of the API shows. */
export const makeRawParameter = (shape: Readonly<Record<string, unknown>>) =>
  Schema.optionalKey(
    Schema.Union([Schema.String, Schema.Array(Schema.String)]).annotate({ "x-schema": shape })
  )

/** Joins what was sent twice into a text that every rule refuses. */
export const toOneText = (value: RawParameter | undefined): string | undefined =>
  value === undefined || typeof value === "string" ? value : value.join(", ")

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

/** Makes one of some words. A check of text tells a word that is sent twice from an unknown one. */
export const makeChoice = <const Words extends ReadonlyArray<string>>(
  words: Schema.Literals<Words>,
  shape: Readonly<Record<string, unknown>>
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

/** How many entries a page has. */
export const pageLimit = Schema.optionalKey(
  makeNumber({
    description: "Most entries in the answer.",
    minimum: 1,
    maximum: pageMax,
    default: pageDefault
  })
)

/** Makes an answer of one view, with an example. */
export const makeAnswer = <S extends Schema.Top>(view: S, example: S["Type"]) =>
  Schema.Struct({ data: view }).annotate({
    examples: [{ data: example }] as never
  })

const total = Schema.Int.annotate({ description: "How many there are on all pages together." })

/** Makes an answer of a page of views, with an example of one. */
export const makePage = <S extends Schema.Top>(view: S, example: S["Type"]) =>
  Schema.Struct({ data: Schema.Array(view), total_count: total }).annotate({
    examples: [{ data: [example], total_count: 1 }] as never
  })

/**
 * Refuses parameters that break their rules, in the form of the preset errors. Those of an
 * operation that writes presets are judged only for callers who may write.
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
        scopesOf(group, endpoint).includes("presets:write") &&
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
