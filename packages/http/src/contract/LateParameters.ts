/**
 * Parameters of the query that are judged after the request is decoded: by a service, or together
 * with the body. Whatever comes is taken; what is sent twice comes as a list.
 */
import { Schema } from "effect"

/** One as it comes. */
export type LateParameter = string | ReadonlyArray<string>

/** Makes one, of the shape that the description of the API shows. */
export const makeLate = (shape: Readonly<Record<string, unknown>>) =>
  Schema.optionalKey(
    Schema.Union([Schema.String, Schema.Array(Schema.String)]).annotate({ "x-schema": shape })
  )

/** Joins what was sent twice into a text that every rule refuses. */
export const toOneText = (value: LateParameter | undefined): string | undefined =>
  value === undefined || typeof value === "string" ? value : value.join(", ")
