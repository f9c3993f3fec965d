/**
 * What an error looks like on the wire, by family: one form for presets (and for workspaces, keys and
 * usage, which have meanings of their own), one for transcriptions, one for programs written for OpenAI.
 * Handlers fail with these values; the endpoints declare which.
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

/** Those of operations that read. */
export const readErrors = [PresetErrors[400], PresetErrors[404], PresetErrors[500]] as const

/** Those of operations that write. */
export const writeErrors = [
  PresetErrors[400],
  PresetErrors[403],
  PresetErrors[404],
  PresetErrors[409],
  PresetErrors[500]
] as const

/** What every operation that takes a key may answer. */
export const busy: Meaning = {
  meaning:
    "Too many requests of the key are under way, or as many came in a second as it or its " +
    "workspace may send; `Retry-After` says in how many seconds to come again.",
  messages: ["Too many requests at the same time", "Too many requests in a second"]
}

/** The errors that mean the same for operators and for those who manage their own keys. */
const makeShared = (makeError: ReturnType<typeof makeErrorSchemas>, brokenRule: string) =>
  ({
    400: makeError(400, {
      meaning: presetMeanings[400].meaning,
      messages: [`Invalid request parameters: ${brokenRule}`]
    }),
    401: makeError(401, presetMeanings[401]),
    429: makeError(429, busy),
    500: makeError(500, presetMeanings[500])
  }) as const

const keysFull = "The workspace has 1000 keys already"

/** Operators are users of no workspace. */
const makeWorkspaceError = makeErrorSchemas({ name: "WorkspaceError", userId: null })

/** The schemas of the errors of operators' operations, by status. */
export const WorkspaceErrors = {
  ...makeShared(makeWorkspaceError, "name: must not be empty"),
  403: makeWorkspaceError(403, {
    meaning: "The key may not do this: it takes an operator key.",
    messages: ["Only operator keys can perform this operation"]
  }),
  404: makeWorkspaceError(404, {
    meaning: "There is no such workspace or key.",
    messages: ["Workspace not found", "Key not found"]
  }),
  409: makeWorkspaceError(409, {
    meaning:
      "Another workspace has the external id, somebody else changed the workspace at the same " +
      "time, or it has as many keys as it may.",
    messages: [
      "Another workspace has this external_id",
      "Resource conflict. Please try again later.",
      keysFull
    ]
  })
} as const

/** The errors of what changes a workspace or its keys, besides those of every operation. */
export const changeErrors = [
  WorkspaceErrors[400],
  WorkspaceErrors[404],
  WorkspaceErrors[409],
  WorkspaceErrors[429]
] as const

const makeKeyError = makeErrorSchemas({ name: "KeyError", userId: exampleUser })

/** The schemas of the errors of the operations on the keys of one's own workspace, by status. */
export const KeyErrors = {
  ...makeShared(makeKeyError, "expires_at: must be in the future"),
  403: makeKeyError(403, {
    meaning:
      "The key may not do this: it takes a management key without a list of scopes; or the " +
      "workspace of the key is disabled.",
    messages: [
      "Only management keys can perform this operation",
      "A key with a list of scopes cannot manage keys",
      "The workspace is disabled"
    ]
  }),
  404: makeKeyError(404, {
    meaning: "The workspace has no such key, or is being deleted.",
    messages: ["Key not found", "Workspace not found"]
  }),
  409: makeKeyError(409, {
    meaning: "The workspace has as many keys as it may.",
    messages: [keysFull]
  })
} as const

/** What an operator is told who names no workspace. */
export const ownLedgerMissing = "An operator key has no ledger of its own: name a workspace"

const makeUsageError = makeErrorSchemas({ name: "UsageError", userId: exampleUser })

/** The schemas of the errors, by status. */
export const UsageErrors = {
  400: makeUsageError(400, {
    meaning: presetMeanings[400].meaning,
    messages: ["Invalid request parameters: to: must be after from"]
  }),
  401: makeUsageError(401, presetMeanings[401]),
  403: makeUsageError(403, {
    meaning: "The key lacks the scope, or its workspace is disabled.",
    messages: ["The key lacks the scope usage:read", "The workspace is disabled"]
  }),
  404: makeUsageError(404, {
    meaning:
      "There is no such workspace, or it is not that of the key; or an operator key asks for its " +
      "own ledger, which it has not.",
    messages: ["Workspace not found", ownLedgerMissing]
  }),
  429: makeUsageError(429, busy),
  500: makeUsageError(500, presetMeanings[500])
} as const

/** When each status occurs, and its usual type and code. */
const speechMeanings = {
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
export type SpeechStatus = keyof typeof speechMeanings

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
  const usual = speechMeanings[isKnown(status) ? status : status < 500 ? 400 : 500]
  return { error: { message, type: type ?? usual.type, param, code: code ?? usual.code } }
}

const makeSpeechSchema = <const Status extends SpeechStatus>(status: Status) =>
  SpeechErrorBody.annotate({
    identifier: `SpeechError${status}`,
    description: speechMeanings[status].meaning,
    httpApiStatus: status,
    ...(status === 401 ? { "x-headers": challengeHeader } : {})
  })

/** The schemas of the errors that operations declare, by status. */
export const SpeechErrors = {
  400: makeSpeechSchema(400),
  401: makeSpeechSchema(401),
  403: makeSpeechSchema(403),
  404: makeSpeechSchema(404),
  409: makeSpeechSchema(409),
  413: makeSpeechSchema(413),
  415: makeSpeechSchema(415),
  429: makeSpeechSchema(429),
  500: makeSpeechSchema(500),
  503: makeSpeechSchema(503)
} as const
