/**
 * What an error looks like on the wire: one form for presets, one for transcription, each with its
 * status. Handlers fail with these values; the endpoints declare which.
 */
import { Schema, SchemaTransformation } from "effect"

/** What callers are told when the server fails. */
export const unexpectedMessage = "Internal Server Error"

/**
 * The statuses of preset errors: when each occurs (specification of presets, errors), and what its
 * message may be.
 */
export const presetMeanings = {
  400: {
    meaning: "The request is malformed or breaks a rule; the message names each one.",
    messages: ["Invalid request parameters: metadata: at most 16 pairs"]
  },
  401: {
    meaning: "The key is missing or not known.",
    messages: ["Missing Authentication header", "Invalid API key"]
  },
  403: {
    meaning:
      "The key may not do this: it takes a management key, or a scope that the key lacks; or the " +
      "workspace of the key is disabled.",
    messages: [
      "Only management keys can perform this operation",
      "The key lacks the scope presets:write",
      "This takes a key with the scope labels:production",
      "The workspace is disabled"
    ]
  },
  404: {
    meaning: "There is no such preset, version or label, or the workspace of the key is gone.",
    messages: ["Preset not found", "Version not found", "Label not found", "Workspace not found"]
  },
  409: {
    meaning:
      "Somebody else changed the preset at the same time, its status does not allow the change, " +
      "`If-Match` or `If-None-Match` does not hold, the idempotency key stands for another " +
      "request, a version is in use or has lost its content, or there are as many labels as " +
      "may be.",
    messages: [
      "Resource conflict. Please try again later.",
      "Preset is archived",
      "The designated version has changed",
      "Preset already exists",
      "The label has moved",
      "Version 2 of the preset support-bot has the label production",
      "Idempotency-Key was already used with another request"
    ]
  },
  500: { meaning: "The server failed.", messages: [unexpectedMessage] }
} as const

/** The statuses that the preset operations answer with when they refuse or fail. */
export type PresetStatus = keyof typeof presetMeanings

/** An error of a preset operation, or of one on workspaces and keys, which have the same form. */
export interface PresetError<Status extends number = PresetStatus> {
  readonly error: { readonly code: Status; readonly message: string }
  readonly gateway_metadata: null
  /** The user of the key, once it is known. */
  readonly user_id: string | null
}

/** Makes a preset error. */
export const makePresetError = <const Status extends number>(
  code: Status,
  { message, userId }: { readonly message: string; readonly userId: string | null }
): PresetError<Status> => ({
  error: { code, message },
  gateway_metadata: null,
  user_id: userId
})

/** What every 401 says besides: which scheme a client has to use. */
export const challengeHeaders = { "www-authenticate": "Bearer" } as const

/** The same, for the description. */
export const challengeHeader = {
  "WWW-Authenticate": {
    description: "The scheme to authenticate with.",
    required: true,
    schema: { type: "string", const: challengeHeaders["www-authenticate"] }
  }
}

/** A user, for examples. */
export const exampleUser = "user_018f4d6e-8f2a-7c3b-9d1e-2f3a4b5c6d7e"

/** When an error occurs, and what its message may be. */
export interface Meaning {
  readonly meaning: string
  readonly messages: ReadonlyArray<string>
}

/** Makes the schemas of a kind of error in the form of the preset errors. */
export const makeErrorSchemas =
  ({ name, userId }: { readonly name: string; readonly userId: string | null }) =>
  <const Status extends number>(status: Status, { meaning, messages }: Meaning) => {
    // Nobody is known before the key is, and what is too much is refused whoever it is.
    const knownId = status === 401 || status === 429 ? null : userId
    return Schema.Struct({
      error: Schema.Struct({ code: Schema.Literal(status), message: Schema.String }),
      gateway_metadata: Schema.Null,
      user_id: Schema.NullOr(Schema.String)
    }).annotate({
      identifier: `${name}${status}`,
      description: meaning,
      examples: messages.map((message) => makePresetError(status, { message, userId: knownId })),
      httpApiStatus: status,
      ...(status === 401 ? { "x-headers": challengeHeader } : {})
    })
  }

const makePresetErrors = makeErrorSchemas({ name: "PresetError", userId: exampleUser })

const makePresetErrorSchema = <const Status extends PresetStatus>(status: Status) =>
  makePresetErrors(status, presetMeanings[status])

/** The schemas of preset errors, by status. */
export const PresetErrors = {
  400: makePresetErrorSchema(400),
  401: makePresetErrorSchema(401),
  403: makePresetErrorSchema(403),
  404: makePresetErrorSchema(404),
  409: makePresetErrorSchema(409),
  500: makePresetErrorSchema(500)
} as const

/** The statuses of transcription errors, and when each occurs (specification, errors). */
const transcriptionMeanings = {
  400: "The request is malformed or breaks a rule.",
  403: "The key is missing, malformed, unknown or lacks the scope, or its workspace is disabled.",
  404: "There is no such job.",
  409: "Something that was asked for before stands against it.",
  410: "The results are no longer stored.",
  413: "The file is too large.",
  415: "The extension of the file is not accepted.",
  429: "Too much is under way; `Retry-After` says in how many seconds to come again.",
  500: "The server failed.",
  503: "This process has no room now; `Retry-After` says in how many seconds to come again."
} as const

/** The statuses that the transcription operations answer with when they refuse or fail. */
export type TranscriptionStatus = keyof typeof transcriptionMeanings

/** An error of a transcription operation. Its body is the detail; the status is sent before it. */
export interface TranscriptionError<Status extends TranscriptionStatus = TranscriptionStatus> {
  readonly status: Status
  readonly detail: string
}

const Detail = Schema.Struct({
  detail: Schema.String.annotate({ description: "What is wrong, in a sentence." })
}).annotate({ identifier: "TranscriptionError", description: "Why there is no result." })

const makeTranscriptionErrorSchema = <const Status extends TranscriptionStatus>(status: Status) =>
  Detail.pipe(
    Schema.decodeTo(
      Schema.Struct({ status: Schema.Literal(status), detail: Schema.String }),
      SchemaTransformation.transform({
        decode: ({ detail }) => ({ status, detail }),
        encode: ({ detail }) => ({ detail })
      })
    )
  ).annotate({ description: transcriptionMeanings[status], httpApiStatus: status })

/** The schemas of transcription errors, by status. */
export const TranscriptionErrors = {
  400: makeTranscriptionErrorSchema(400),
  403: makeTranscriptionErrorSchema(403),
  404: makeTranscriptionErrorSchema(404),
  409: makeTranscriptionErrorSchema(409),
  410: makeTranscriptionErrorSchema(410),
  413: makeTranscriptionErrorSchema(413),
  415: makeTranscriptionErrorSchema(415),
  429: makeTranscriptionErrorSchema(429),
  500: makeTranscriptionErrorSchema(500),
  503: makeTranscriptionErrorSchema(503)
} as const

/** Makes a transcription error. */
export const makeTranscriptionError = <const Status extends TranscriptionStatus>(
  status: Status,
  detail: string
): TranscriptionError<Status> => ({ status, detail })
