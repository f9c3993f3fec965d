/**
 * Answers to requests that no operation handles: before a route was found, or when one broke.
 */
import { HttpServerResponse } from "effect/http"
import { toSpeechError } from "../../contract/speech/SpeechErrors.ts"

/** An error without an operation. */
interface EdgeError {
  readonly message: string
  readonly status: number
}

/** Where the paths begin whose errors have the form of the preset errors. */
const presetForm = /^\/v1\/(?:presets|workspaces|work|keys|usage|ledger)/

/** Where the paths begin that programs written for OpenAI call. */
const speechForm = /^\/v1\/(?:audio|models)(?:[/?]|$)/

/** The body of an error in the form of the API that the path belongs to. */
export const toErrorBody = (path: string, { message, status }: EdgeError): object => {
  if (speechForm.test(path)) return toSpeechError(status, { message })
  return presetForm.test(path)
    ? { error: { code: status, message }, gateway_metadata: null, user_id: null }
    : { detail: message }
}

/** Makes an error in the form of the API that the path belongs to. */
export const makeEdgeAnswer = (
  path: string,
  error: EdgeError
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(toErrorBody(path, error), { status: error.status })
