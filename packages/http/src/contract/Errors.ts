/**
 * What an error looks like on the wire, by family: one form for presets (and for workspaces, keys
 * and usage, which have meanings of their own), one for transcriptions, one for programs written
 * for OpenAI. Handlers fail with these values; the endpoints declare which.
 */

import { Schema, SchemaTransformation } from "effect"
import { pickErrors } from "./Operation.ts"

/** What callers are told when the server fails. */
export const unexpectedMessage = "Internal Server Error"

/**
 * The statuses of preset errors: when each occurs (specification of presets, errors), and what its
 * message may be.
 */
const presetMeanings = {
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
const challengeHeader = {
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

/** Statuses, and what they mean for some operations. */
type Meanings = Readonly<Record<number, Meaning>>

interface ErrorFamily {
  readonly name: string
  readonly userId: string | null
}

const makeErrorSchema = <const Status extends number>(
  status: Status,
  { meaning, messages, name, userId }: ErrorFamily & Meaning
) => {
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

/** Makes the schemas of a kind of error in the form of the preset errors, by status. */
const makeErrorSchemas = <Known extends Meanings>(family: ErrorFamily, meanings: Known) =>
  Object.fromEntries(
    Object.entries<Meaning>(meanings).map(([status, meaning]) => [
      status,
      makeErrorSchema(Number(status), { ...family, ...meaning })
    ])
  ) as {
    readonly [Status in Extract<keyof Known, number>]: ReturnType<typeof makeErrorSchema<Status>>
  }

/** The schemas of preset errors, by status. */
export const PresetErrors = makeErrorSchemas(
  { name: "PresetError", userId: exampleUser },
  presetMeanings
)

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
export const TranscriptionErrors = Object.fromEntries(
  Object.keys(transcriptionMeanings).map((status) => [
    status,
    makeTranscriptionErrorSchema(Number(status) as TranscriptionStatus)
  ])
) as {
  readonly [Status in TranscriptionStatus]: ReturnType<typeof makeTranscriptionErrorSchema<Status>>
}

/** Makes a transcription error. */
export const makeTranscriptionError = <const Status extends TranscriptionStatus>(
  status: Status,
  detail: string
): TranscriptionError<Status> => ({ status, detail })

/** Those of operations that read. */
export const readErrors = pickErrors(PresetErrors, 400, 404, 500)

/** Those of operations that write. */
export const writeErrors = pickErrors(PresetErrors, 400, 403, 404, 409, 500)

/** When an error occurs, and what its message may be. */
const say = (meaning: string, ...messages: ReadonlyArray<string>): Meaning => ({
  meaning,
  messages
})

/** The errors that mean the same for all operations on workspaces, keys and usage. */
const makeShared = (brokenRule: string) => ({
  400: say(presetMeanings[400].meaning, `Invalid request parameters: ${brokenRule}`),
  401: presetMeanings[401],
  429: say(
    "Too many requests of the key are under way, or as many came in a second as it or its " +
      "workspace may send; `Retry-After` says in how many seconds to come again.",
    "Too many requests at the same time",
    "Too many requests in a second"
  ),
  500: presetMeanings[500]
})

const keysFull = "The workspace has 1000 keys already"

/** The schemas of the errors of operators, by status. Operators are users of no workspace. */
export const WorkspaceErrors = makeErrorSchemas(
  { name: "WorkspaceError", userId: null },
  {
    ...makeShared("name: must not be empty"),
    403: say(
      "The key may not do this: it takes an operator key.",
      "Only operator keys can perform this operation"
    ),
    404: say("There is no such workspace or key.", "Workspace not found", "Key not found"),
    409: say(
      "Another workspace has the external id, somebody else changed the workspace at the same " +
        "time, or it has as many keys as it may.",
      "Another workspace has this external_id",
      "Resource conflict. Please try again later.",
      keysFull
    )
  }
)

/** The errors of what changes a workspace or its keys, besides those of every operation. */
export const changeErrors = pickErrors(WorkspaceErrors, 400, 404, 409, 429)

/** The schemas of the errors of the operations on the keys of one's own workspace, by status. */
export const KeyErrors = makeErrorSchemas(
  { name: "KeyError", userId: exampleUser },
  {
    ...makeShared("expires_at: must be in the future"),
    403: say(
      "The key may not do this: it takes a management key without a list of scopes; or the " +
        "workspace of the key is disabled.",
      "Only management keys can perform this operation",
      "A key with a list of scopes cannot manage keys",
      "The workspace is disabled"
    ),
    404: say(
      "The workspace has no such key, or is being deleted.",
      "Key not found",
      "Workspace not found"
    ),
    409: say("The workspace has as many keys as it may.", keysFull)
  }
)

/** What an operator is told who names no workspace. */
export const ownLedgerMissing = "An operator key has no ledger of its own: name a workspace"

/** The schemas of the errors of the operations on usage, by status. */
export const UsageErrors = makeErrorSchemas(
  { name: "UsageError", userId: exampleUser },
  {
    ...makeShared("to: must be after from"),
    403: say(
      "The key lacks the scope, or its workspace is disabled.",
      "The key lacks the scope usage:read",
      "The workspace is disabled"
    ),
    404: say(
      "There is no such workspace, or it is not that of the key; or an operator key asks for its " +
        "own ledger, which it has not.",
      "Workspace not found",
      ownLedgerMissing
    )
  }
)

/** When each status of an error in OpenAI's form occurs, and its usual code. */
const speechMeanings = {
  400: ["A parameter is missing, malformed, unknown, or asks for what is not done here.", null],
  401: ["The key is missing or not known.", "invalid_api_key"],
  403: ["The key lacks the scope, or its workspace is disabled.", "permission_denied"],
  404: ["There is no such model, or the job was deleted, or its transcript is gone.", "not_found"],
  405: ["The path has other methods.", null],
  408: ["The request came too slowly.", null],
  409: [
    "The idempotency key stands for another request, or the job was deleted meanwhile.",
    "conflict"
  ],
  413: ["The file is too large.", "file_too_large"],
  415: ["The format of the file is not accepted.", "unsupported_format"],
  429: [
    "The balance is too low (`insufficient_quota`), or too much is under way or was asked for; " +
      "then `Retry-After` says in how many seconds to come again.",
    "rate_limit_exceeded"
  ],
  500: ["The engine or the server failed.", null],
  503: ["The transcription is still running; the same request joins it.", "still_running"]
} as const

/** The statuses of these errors. */
export type SpeechStatus = keyof typeof speechMeanings

const speechTypeOf = (status: number): string => {
  if (status === 403) return "permission_error"
  if (status === 429) return "rate_limit_error"
  return status < 500 ? "invalid_request_error" : "server_error"
}

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

const isKnown = (status: number): status is SpeechStatus => Object.hasOwn(speechMeanings, status)

/** Makes the body of an error. */
export const toSpeechError = (
  status: number,
  { code, message, param = null, type }: Omit<SpeechFault, "param"> & { param?: string | null }
): SpeechErrorBody => {
  const known = isKnown(status) ? status : status < 500 ? 400 : 500
  const usual = { type: speechTypeOf(known), code: speechMeanings[known][1] }
  return { error: { message, type: type ?? usual.type, param, code: code ?? usual.code } }
}

const makeSpeechSchema = <const Status extends SpeechStatus>(status: Status) =>
  SpeechErrorBody.annotate({
    identifier: `SpeechError${status}`,
    description: speechMeanings[status][0],
    httpApiStatus: status,
    ...(status === 401 ? { "x-headers": challengeHeader } : {})
  })

/** The schemas of the errors that operations declare, by status. */
export const SpeechErrors = Object.fromEntries(
  Object.keys(speechMeanings).map((status) => [
    status,
    makeSpeechSchema(Number(status) as SpeechStatus)
  ])
) as { readonly [Status in SpeechStatus]: ReturnType<typeof makeSpeechSchema<Status>> }
