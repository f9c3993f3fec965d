/**
 * Errors in the form of a family, for refusals and failures outside of handlers: before a route was
 * found, at authentication, or when an operation broke.
 */
import { HttpServerResponse } from "effect/http"
import type { Family } from "../../contract/Authentication.ts"
import { makePresetError, toSpeechError } from "../../contract/Errors.ts"

/** An error before it has a form. */
interface ErrorDetails {
  readonly message: string
  readonly status: number
  /** The user of the key, once it is known. */
  readonly userId?: string | null
}

const toPresetBody = ({ message, status, userId = null }: ErrorDetails) =>
  makePresetError(status, { message, userId })

const bodies: Readonly<Record<Family, (error: ErrorDetails) => object>> = {
  preset: toPresetBody,
  operator: toPresetBody,
  transcription: ({ message }) => ({ detail: message }),
  openai: ({ message, status }) => toSpeechError(status, { message })
}

/** Where the paths begin whose errors have the form of the preset errors. */
const presetForm = /^\/v1\/(?:presets|workspaces|work|keys|usage|ledger)/

/** Where the paths begin that programs written for OpenAI call. */
const speechForm = /^\/v1\/(?:audio|models)(?:[/?]|$)/

const familyOf = (path: string): Family => {
  if (speechForm.test(path)) return "openai"
  return presetForm.test(path) ? "preset" : "transcription"
}

/** The body of an error in the form of the API that the path belongs to. */
export const toErrorBody = (path: string, error: ErrorDetails): object =>
  bodies[familyOf(path)](error)

/** Makes an error in the form of a family. */
export const answerIn = (
  family: Family,
  error: ErrorDetails,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(bodies[family](error), { status: error.status, headers })

/** Makes an error in the form of the API that the path belongs to. */
export const makeErrorAnswer = (
  path: string,
  error: ErrorDetails
): HttpServerResponse.HttpServerResponse => answerIn(familyOf(path), error)
