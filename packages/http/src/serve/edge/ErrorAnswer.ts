/**
 * Formats errors that occur outside handlers: before routing, during authentication, or when an
 * operation fails. The path of the request determines the format.
 */
import { HttpServerResponse } from "effect/http"
import type { Family } from "../../contract/Authentication.ts"
import { makePresetError, toSpeechError } from "../../contract/Errors.ts"

/** An error that has no format yet. */
interface ErrorDetails {
  readonly message: string
  readonly status: number
  /** The user of the key; omitted until the key is identified. */
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

/** Reads the message from the body of an error in any format. */
export const readMessage = (json: string): string | undefined => {
  const { detail, error } = Object(JSON.parse(json))
  return [detail, Object(error).message].find((each) => typeof each === "string")
}

/** Path prefixes that use the preset error format. */
const presetForm = /^\/(?:mcp$|v1\/(?:presets|workspaces|work|keys|usage|ledger))/

/** Path prefixes of the OpenAI-compatible operations. */
const speechForm = /^\/v1\/(?:audio|models)(?:[/?]|$)/

const findFamily = (path: string): Family => {
  if (speechForm.test(path)) return "openai"
  return presetForm.test(path) ? "preset" : "transcription"
}

/** Builds the body of an error in the format that belongs to the path. */
export const toErrorBody = (path: string, error: ErrorDetails): object =>
  bodies[findFamily(path)](error)

/** Builds a response with an error in this format. */
export const answerIn = (
  family: Family,
  error: ErrorDetails,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(bodies[family](error), { status: error.status, headers })

/** Builds a response with an error in the format that belongs to the path. */
export const makeErrorAnswer = (
  path: string,
  error: ErrorDetails
): HttpServerResponse.HttpServerResponse => answerIn(findFamily(path), error)
