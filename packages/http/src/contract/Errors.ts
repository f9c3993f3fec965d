/**
 * Defines the errors that clients get, in three formats: for presets, for transcriptions, and for
 * OpenAI clients. Operations on workspaces, keys and usage use the preset format, but give some
 * statuses other meanings. Handlers fail with these errors, and endpoints declare them.
 */

import { Schema, SchemaTransformation } from "effect"

/** Picks the schemas of errors with these statuses. */
export const pickErrors = <
  Errors extends object,
  const Statuses extends ReadonlyArray<keyof Errors>
>(
  errors: Errors,
  ...statuses: Statuses
) =>
  statuses.map((status) => errors[status]) as unknown as {
    readonly [Index in keyof Statuses]: Errors[Statuses[Index]]
  }

export const unexpectedMessage = "Internal Server Error"

/** The cause of each preset error status (preset specification, errors), with example messages. */
const presetMeanings = {
  400: {
    meaning: "The request is malformed or breaks rules; the message names each broken rule.",
    messages: ["Invalid request parameters: metadata: at most 16 pairs"]
  },
  401: {
    meaning: "The key is missing or unknown.",
    messages: ["Missing Authentication header", "Invalid API key"]
  },
  403: {
    meaning:
      "The key lacks the permission: the operation needs a management key, or a scope that the " +
      "key does not have; or the key's workspace is disabled.",
    messages: [
      "Only management keys can perform this operation",
      "The key lacks the scope presets:write",
      "This requires a key with the scope labels:production",
      "The workspace is disabled"
    ]
  },
  404: {
    meaning: "The preset, version, label or the key's workspace does not exist.",
    messages: ["Preset not found", "Version not found", "Label not found", "Workspace not found"]
  },
  409: {
    meaning:
      "The preset was changed concurrently, its status does not allow the change, `If-Match` or " +
      "`If-None-Match` does not match, the idempotency key was used with another request, the " +
      "version is in use or its content was erased, or there are too many labels already.",
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

export type PresetStatus = keyof typeof presetMeanings

/** An error from an operation on presets, workspaces or keys, which all share this format. */
export interface PresetError<Status extends number = PresetStatus> {
  readonly error: { readonly code: Status; readonly message: string }
  readonly gateway_metadata: null
  /** The user of the key, or null until the server has identified the key. */
  readonly user_id: string | null
}

export const makePresetError = <const Status extends number>(
  code: Status,
  { message, userId }: { readonly message: string; readonly userId: string | null }
): PresetError<Status> => ({
  error: { code, message },
  gateway_metadata: null,
  user_id: userId
})

/** Every 401 response has this header, which names the authentication scheme. */
export const challengeHeaders = { "www-authenticate": "Bearer" } as const

/** The `WWW-Authenticate` header in the OpenAPI document. */
const challengeHeader = {
  "WWW-Authenticate": {
    description: "The authentication scheme to use.",
    required: true,
    schema: { type: "string", const: challengeHeaders["www-authenticate"] }
  }
}

export const exampleUser = "user_018f4d6e-8f2a-7c3b-9d1e-2f3a4b5c6d7e"

/** Says what causes an error, with example messages. */
export interface Meaning {
  readonly meaning: string
  readonly messages: ReadonlyArray<string>
}

/** Causes of errors, keyed by status. */
type Meanings = Readonly<Record<number, Meaning>>

interface ErrorFamily {
  readonly name: string
  readonly userId: string | null
}

const makeErrorSchema = <const Status extends number>(
  status: Status,
  { meaning, messages, name, userId }: ErrorFamily & Meaning
) => {
  // The example shows null for a 401, which is sent before the key is identified, and for a 429,
  // which does not depend on the user.
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

/** Builds the schemas, keyed by status, of errors in the preset format. */
const makeErrorSchemas = <Known extends Meanings>(family: ErrorFamily, meanings: Known) =>
  Object.fromEntries(
    Object.entries<Meaning>(meanings).map(([status, meaning]) => [
      status,
      makeErrorSchema(Number(status), { ...family, ...meaning })
    ])
  ) as {
    readonly [Status in Extract<keyof Known, number>]: ReturnType<typeof makeErrorSchema<Status>>
  }

export const PresetErrors = makeErrorSchemas(
  { name: "PresetError", userId: exampleUser },
  presetMeanings
)

/** The cause of each transcription error status (transcription specification, errors). */
const transcriptionStatusMeanings = {
  400: "The request is malformed or breaks a rule.",
  403: "The key is missing, malformed or unknown, lacks the scope, or is of a disabled workspace.",
  404: "The job does not exist.",
  409: "The request conflicts with an earlier one or with the state of the job.",
  410: "The results are no longer stored.",
  413: "The file is too large.",
  415: "The file extension is not supported.",
  429: "Too many requests are in progress; `Retry-After` is the number of seconds to wait.",
  500: "The server failed.",
  503: "This process is at capacity; `Retry-After` is the number of seconds to wait."
} as const

export type TranscriptionStatus = keyof typeof transcriptionStatusMeanings

/** An error of a transcription operation. Only `detail` is sent in the body; the status is not. */
export interface TranscriptionError<Status extends TranscriptionStatus = TranscriptionStatus> {
  readonly status: Status
  readonly detail: string
}

const Detail = Schema.Struct({
  detail: Schema.String.annotate({ description: "A sentence that describes the error." })
}).annotate({ identifier: "TranscriptionError", description: "The reason why there is no result." })

const makeTranscriptionErrorSchema = <const Status extends TranscriptionStatus>(status: Status) =>
  Detail.pipe(
    Schema.decodeTo(
      Schema.Struct({ status: Schema.Literal(status), detail: Schema.String }),
      SchemaTransformation.transform({
        decode: ({ detail }) => ({ status, detail }),
        encode: ({ detail }) => ({ detail })
      })
    )
  ).annotate({ description: transcriptionStatusMeanings[status], httpApiStatus: status })

export const TranscriptionErrors = Object.fromEntries(
  Object.keys(transcriptionStatusMeanings).map((status) => [
    status,
    makeTranscriptionErrorSchema(Number(status) as TranscriptionStatus)
  ])
) as {
  readonly [Status in TranscriptionStatus]: ReturnType<typeof makeTranscriptionErrorSchema<Status>>
}

export const makeTranscriptionError = <const Status extends TranscriptionStatus>(
  status: Status,
  detail: string
): TranscriptionError<Status> => ({ status, detail })

/** Errors of operations that only read presets. */
export const readErrors = pickErrors(PresetErrors, 400, 404, 500)

/** Errors of operations that change presets. */
export const writeErrors = pickErrors(PresetErrors, 400, 403, 404, 409, 500)

/** Describes the cause of an error, with example messages. */
const say = (meaning: string, ...messages: ReadonlyArray<string>): Meaning => ({
  meaning,
  messages
})

/** Describes the errors that mean the same in all operations on workspaces, keys and usage. */
const makeShared = (brokenRule: string) => ({
  400: say(presetMeanings[400].meaning, `Invalid request parameters: ${brokenRule}`),
  401: presetMeanings[401],
  429: say(
    "The key has too many requests in progress, or the key or its workspace exceeded its " +
      "requests per second; `Retry-After` is the number of seconds to wait.",
    "Too many requests at the same time",
    "Too many requests in a second"
  ),
  500: presetMeanings[500]
})

const keysFull = "The workspace already has 1000 keys"

/**
 * Schemas, by status, of errors in operations on workspaces. The `user_id` is null, because
 * operators belong to no workspace.
 */
export const WorkspaceErrors = makeErrorSchemas(
  { name: "WorkspaceError", userId: null },
  {
    ...makeShared("name: must not be empty"),
    403: say(
      "The operation needs an operator key.",
      "Only operator keys can perform this operation"
    ),
    404: say(
      "The workspace, key or job does not exist.",
      "Workspace not found",
      "Key not found",
      "Job not found"
    ),
    409: say(
      "Another workspace has the external id, the workspace was changed concurrently, it has the " +
        "maximum number of keys, or the state of the job does not allow the action.",
      "Another workspace has this external_id",
      "Resource conflict. Please try again later.",
      keysFull,
      "The transcription has not failed"
    )
  }
)

/** Errors of operations that change a workspace or its keys. */
export const changeErrors = pickErrors(WorkspaceErrors, 400, 404, 409, 429)

/** Error schemas, by status, for operations on keys in the caller's own workspace. */
export const KeyErrors = makeErrorSchemas(
  { name: "KeyError", userId: exampleUser },
  {
    ...makeShared("expires_at: must be in the future"),
    403: say(
      "The operation needs a management key without a list of scopes; or the key's " +
        "workspace is disabled.",
      "Only management keys can perform this operation",
      "A key with a list of scopes cannot manage keys",
      "The workspace is disabled"
    ),
    404: say(
      "The workspace has no such key, or is being deleted.",
      "Key not found",
      "Workspace not found"
    ),
    409: say("The workspace has the maximum number of keys.", keysFull)
  }
)

/** The message if an operator key requests its own ledger, which does not exist. */
export const ownLedgerMissing = "An operator key has no ledger: name a workspace"

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
      "The workspace does not exist, or the key belongs to another one; or an operator key named " +
        "no workspace.",
      "Workspace not found",
      ownLedgerMissing
    )
  }
)

/** The cause of each error status in the OpenAI format, with its usual code. */
const speechMeanings = {
  400: ["A parameter is missing, malformed, unknown, or has an unsupported value.", null],
  401: ["The key is missing or unknown.", "invalid_api_key"],
  403: ["The key lacks the scope, or its workspace is disabled.", "permission_denied"],
  404: ["The model does not exist, or the job or its transcript was deleted.", "not_found"],
  405: ["The path does not support this method.", null],
  408: ["The request was sent too slowly.", null],
  409: [
    "The idempotency key was used with another request, or the job was deleted before it ended.",
    "conflict"
  ],
  413: ["The file is too large.", "file_too_large"],
  415: ["The file format is not supported.", "unsupported_format"],
  429: [
    "The balance is too low (`insufficient_quota`), or there are too many requests or jobs; then " +
      "`Retry-After` is the number of seconds to wait.",
    "rate_limit_exceeded"
  ],
  500: ["The engine or the server failed.", null],
  503: [
    "The transcription is still running; an identical request receives the same result.",
    "still_running"
  ]
} as const

export type SpeechStatus = keyof typeof speechMeanings

const findSpeechType = (status: number): string => {
  if (status === 403) return "permission_error"
  if (status === 429) return "rate_limit_error"
  return status < 500 ? "invalid_request_error" : "server_error"
}

/** An error in the OpenAI format. Omitted fields get the usual values of the status. */
export interface SpeechFault {
  readonly message: string
  readonly param?: string
  readonly code?: string
  readonly type?: string
}

const SpeechErrorBody = Schema.Struct({
  error: Schema.Struct({
    message: Schema.String.annotate({ description: "A sentence that describes the error." }),
    type: Schema.String,
    param: Schema.NullOr(Schema.String).annotate({ description: "The invalid parameter." }),
    code: Schema.NullOr(Schema.String)
  })
})
export type SpeechErrorBody = typeof SpeechErrorBody.Type

const isKnown = (status: number): status is SpeechStatus => Object.hasOwn(speechMeanings, status)

/** Builds the body of an error in the OpenAI format. */
export const toSpeechError = (
  status: number,
  { code, message, param = null, type }: Omit<SpeechFault, "param"> & { param?: string | null }
): SpeechErrorBody => {
  const known = isKnown(status) ? status : status < 500 ? 400 : 500
  const usual = { type: findSpeechType(known), code: speechMeanings[known][1] }
  return { error: { message, type: type ?? usual.type, param, code: code ?? usual.code } }
}

const makeSpeechSchema = <const Status extends SpeechStatus>(status: Status) =>
  SpeechErrorBody.annotate({
    identifier: `SpeechError${status}`,
    description: speechMeanings[status][0],
    httpApiStatus: status,
    ...(status === 401 ? { "x-headers": challengeHeader } : {})
  })

/** Schemas of errors in the OpenAI format, keyed by status. */
export const SpeechErrors = Object.fromEntries(
  Object.keys(speechMeanings).map((status) => [
    status,
    makeSpeechSchema(Number(status) as SpeechStatus)
  ])
) as { readonly [Status in SpeechStatus]: ReturnType<typeof makeSpeechSchema<Status>> }
