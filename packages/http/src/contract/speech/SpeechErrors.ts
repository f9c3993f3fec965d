/**
 * What an error looks like to programs written for OpenAI: what they tell apart is the status, the
 * `type`, the `code`, and in a refusal the parameter.
 */
import { Schema } from "effect"
import { challengeHeader } from "../ErrorBody.ts"

/** When each status occurs, and its usual type and code. */
const meanings = {
  400: {
    meaning: "A parameter is missing, malformed, unknown, or asks for what is not done here.",
    type: "invalid_request_error",
    code: null
  },
  401: {
    meaning: "The key is missing or not known.",
    type: "invalid_request_error",
    code: "invalid_api_key"
  },
  403: {
    meaning: "The key lacks the scope, or its workspace is disabled.",
    type: "permission_error",
    code: "permission_denied"
  },
  404: {
    meaning: "There is no such model, or the job was deleted, or its transcript is gone.",
    type: "invalid_request_error",
    code: "not_found"
  },
  405: { meaning: "The path has other methods.", type: "invalid_request_error", code: null },
  408: { meaning: "The request came too slowly.", type: "invalid_request_error", code: null },
  409: {
    meaning: "The idempotency key stands for another request, or the job was deleted meanwhile.",
    type: "invalid_request_error",
    code: "conflict"
  },
  413: {
    meaning: "The file is too large.",
    type: "invalid_request_error",
    code: "file_too_large"
  },
  415: {
    meaning: "The format of the file is not accepted.",
    type: "invalid_request_error",
    code: "unsupported_format"
  },
  429: {
    meaning:
      "The balance is too low (`insufficient_quota`), or too much is under way or was asked for; " +
      "then `Retry-After` says in how many seconds to come again.",
    type: "rate_limit_error",
    code: "rate_limit_exceeded"
  },
  500: { meaning: "The engine or the server failed.", type: "server_error", code: null },
  503: {
    meaning: "The transcription is still running; the same request joins it.",
    type: "server_error",
    code: "still_running"
  }
} as const

/** The statuses of these errors. */
export type SpeechStatus = keyof typeof meanings

/** What is said of an error. What is left out is what is usual for its status. */
export interface SpeechFault {
  readonly message: string
  readonly param?: string
  readonly code?: string
  readonly type?: string
}

const SpeechErrorBody = Schema.Struct({
  error: Schema.Struct({
    message: Schema.String.annotate({ description: "What is wrong, in a sentence." }),
    type: Schema.String,
    param: Schema.NullOr(Schema.String).annotate({ description: "The parameter at fault." }),
    code: Schema.NullOr(Schema.String)
  })
})
export type SpeechErrorBody = typeof SpeechErrorBody.Type

const isKnown = (status: number): status is SpeechStatus => Object.hasOwn(meanings, status)

/** Makes the body of an error. */
export const toSpeechError = (
  status: number,
  { code, message, param = null, type }: Omit<SpeechFault, "param"> & { param?: string | null }
): SpeechErrorBody => {
  const usual = meanings[isKnown(status) ? status : status < 500 ? 400 : 500]
  return { error: { message, type: type ?? usual.type, param, code: code ?? usual.code } }
}

const makeSchema = <const Status extends SpeechStatus>(status: Status) =>
  SpeechErrorBody.annotate({
    identifier: `SpeechError${status}`,
    description: meanings[status].meaning,
    httpApiStatus: status,
    ...(status === 401 ? { "x-headers": challengeHeader } : {})
  })

/** The schemas of the errors that operations declare, by status. */
export const SpeechErrors = {
  400: makeSchema(400),
  401: makeSchema(401),
  403: makeSchema(403),
  404: makeSchema(404),
  409: makeSchema(409),
  413: makeSchema(413),
  415: makeSchema(415),
  429: makeSchema(429),
  500: makeSchema(500),
  503: makeSchema(503)
} as const
