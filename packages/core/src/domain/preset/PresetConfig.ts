/**
 * What a version of a preset holds of its request, and how the body of a Responses-style request
 * becomes it. `RequestFormat` does the same for every format.
 */
import { type Result, Schema } from "effect"
import type { FieldTable } from "../request/FieldTable.ts"
import * as RequestFormat from "../request/RequestFormat.ts"
import type { InvalidRequest } from "../schema/Problem.ts"

export type { Fate, Field, FieldTable } from "../request/FieldTable.ts"
export type { Kept } from "../request/RequestFormat.ts"
export { responsesTable as fields } from "../request/ResponsesRequest.ts"

/** The kept fields of a request under the names sent, each exactly as it was sent. */
export const PresetConfig = Schema.Record(Schema.String, Schema.Json).annotate({
  identifier: "PresetConfig"
})
export type PresetConfig = typeof PresetConfig.Type

/** What else a request says, and which table sorts its fields. */
export interface DecodeOptions {
  /** The header `x-session-id`, which counts when the body has no `session_id`. */
  readonly sessionIdHeader?: string | undefined
  readonly table?: FieldTable | undefined
}

/** Reads the body of a Responses-style request into what a preset keeps, or says what is wrong. */
export const decode = (
  body: unknown,
  { sessionIdHeader, table }: DecodeOptions = {}
): Result.Result<RequestFormat.Kept, InvalidRequest> => {
  const format =
    table === undefined ? RequestFormat.responses : { ...RequestFormat.responses, fields: table }
  return RequestFormat.decode(format, { body, sessionIdHeader })
}
