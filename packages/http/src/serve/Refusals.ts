/**
 * Maps service refusals to responses. Each family of operations has a table that maps a refusal's
 * tag to its status and message; the compiler checks that the operations declare these statuses. A
 * store failure is a defect, which all operations report in the same way.
 */
import { overdue, type PresetStoreError } from "@verbatim/core/ports"
import type { ConditionFailed, PresetInactive, Unmet } from "@verbatim/core/preset"
import { describe } from "@verbatim/core/schema"
import type {
  KeysFull,
  LimitReached,
  ScopeBeyondKind,
  ScopeNotHeld,
  TooManySubscribers
} from "@verbatim/core/services"
import { Duration, Effect } from "effect"
import {
  makeTranscriptionError,
  type TranscriptionError,
  type TranscriptionStatus
} from "../contract/Errors.ts"
import { refuse, refuseAs } from "../contract/preset/PresetParameters.ts"
import { refuseForNow, refuseUntil } from "./auth/KeyShare.ts"

type Answer = (refusal: never) => Effect.Effect<unknown, unknown, unknown>
type Table = Readonly<Record<string, Answer>>

/**
 * The response that table `T` gives to error `E`; undefined if the table does not contain the
 * error.
 */
type AnswerTo<T, E> = E extends { readonly _tag: infer Tag extends keyof T }
  ? T[Tag] extends (refusal: infer Known) => infer Answered
    ? E extends Known
      ? Answered
      : undefined
    : undefined
  : undefined

type Unknown<T, E> = E extends unknown ? (AnswerTo<T, E> extends undefined ? E : never) : never

/** Returns a function that catches the refusals in a table and responds to them. */
const answerBy =
  <const T extends Table>(table: T) =>
  <A, E extends object, R>(
    handled: Effect.Effect<A, E, R>
  ): Effect.Effect<
    A | Effect.Success<NonNullable<AnswerTo<T, E>>>,
    Unknown<T, E> | Effect.Error<NonNullable<AnswerTo<T, E>>>,
    R | Effect.Services<NonNullable<AnswerTo<T, E>>>
  > =>
    Effect.catch(handled, (error) => {
      const answer = "_tag" in error ? table[String(error._tag)] : undefined
      return answer === undefined ? Effect.fail(error) : answer(error as never)
    }) as never

const contended = () => refuse(409, "Resource conflict. Please try again later.")
const workspaceMissing = () => refuse(404, "Workspace not found")

/** Messages when a precondition on a preset fails. */
const unmetMessages: Readonly<Record<Unmet, string>> = {
  Absent: "Preset does not exist",
  Exists: "Preset already exists",
  Moved: "The designated version has changed",
  NotMoved: "The designated version has not changed"
}

/** Messages when a precondition on a label fails. */
const unmetLabelMessages: Readonly<Record<Unmet, string>> = {
  Absent: "Label does not exist",
  Exists: "Label already exists",
  Moved: "The label has moved",
  NotMoved: "The label has not moved"
}

/**
 * Refuses a write that the store rejected. The caller can retry the write, or restore an archived
 * preset.
 */
const refuseWrite = (error: PresetStoreError) => {
  switch (error.reason._tag) {
    case "Contended":
    // `Full` can occur only when a label is protected, and then the service itself refuses it.
    case "Full":
    case "KeyTaken":
    case "Superseded":
      return contended()
    case "Archived":
      return refuse(409, "Preset is archived")
    case "WorkspaceMissing":
      return workspaceMissing()
    case "ConditionFailed":
      return refuse(409, unmetMessages[error.reason.unmet])
    case "Unavailable":
      return error.reason.cause === overdue ? contended() : Effect.die(error)
  }
}

/** Responses to refusals, in the format of preset errors. */
const presetTable = {
  ConditionFailed: ({ label, unmet }: ConditionFailed) =>
    refuse(409, (label === undefined ? unmetMessages : unmetLabelMessages)[unmet]),
  ExternalIdTaken: () => refuse(409, "Another workspace has this external_id"),
  IdempotencyConflict: refuseAs(409),
  InvalidParameter: refuseAs(400),
  InvalidRequest: refuseAs(400),
  JobStoreError: Effect.die,
  KeyNotReplaceable: () => refuse(404, "Key not found"),
  KeysFull: ({ max }: KeysFull) => refuse(409, `The workspace already has ${max} keys`),
  LabelNotFound: () => refuse(404, "Label not found"),
  LabelProtected: refuseAs(403),
  LabelsFull: refuseAs(409),
  ManagementKeyRequired: refuseAs(403),
  PresetInactive: ({ status }: PresetInactive) => refuse(409, `Preset is ${status}`),
  PresetNotArchived: refuseAs(409),
  PresetNotFound: () => refuse(404, "Preset not found"),
  PresetStoreError: Effect.die,
  ProtectedLabelsFull: refuseAs(409),
  ScopeBeyondKind: ({ scope }: ScopeBeyondKind) =>
    refuse(400, describe([{ path: "scopes", rule: `${scope} needs a management key` }])),
  ScopeNotHeld: ({ scope }: ScopeNotHeld) =>
    refuse(400, describe([{ path: "scopes", rule: `only operators grant ${scope}` }])),
  // The server generates tokens at random, so a refused token is a bug.
  TokenUnacceptable: Effect.die,
  VersionErased: refuseAs(409),
  VersionInUse: refuseAs(409),
  VersionNotFound: () => refuse(404, "Version not found"),
  WorkspaceContended: contended,
  WorkspaceNotFound: workspaceMissing,
  WorkspaceStoreError: Effect.die
}

/** Converts refusals to errors in the format of preset errors. */
export const answerRefusals = answerBy(presetTable)

/**
 * Converts refusals of operations that write a preset or a label, including the store's refusals.
 */
export const answerWriteRefusals = answerBy({ ...presetTable, PresetStoreError: refuseWrite })

/** Converts refusals of operators' actions on jobs to errors in the format of preset errors. */
export const answerJobActionRefusals = answerBy({
  ...presetTable,
  CallbackMissing: refuseAs(400),
  MediaExpired: refuseAs(409),
  MediaStoreError: Effect.die,
  NotFailed: refuseAs(409),
  RedeliveredLately: refuseAs(409),
  RenewedTooOften: refuseAs(409),
  RequestNotFound: () => refuse(404, "Job not found"),
  ResultsRemoved: refuseAs(409),
  StatusChanged: refuseAs(409),
  WebhookPending: refuseAs(409)
})

const detail = <const Status extends TranscriptionStatus>(
  status: Status,
  sentence: string
): Effect.Effect<never, TranscriptionError<Status>> =>
  Effect.fail(makeTranscriptionError(status, sentence))

/**
 * Returns a function that converts a refusal to an error with this status and the refusal's own
 * message.
 */
const detailAs =
  <const Status extends TranscriptionStatus>(status: Status) =>
  ({ message }: { readonly message: string }) =>
    detail(status, message)

/** Messages when a job has no transcript, keyed by the step that failed. */
const missing = {
  Fetching: "Failed to access the file or invalid URL",
  Running: "Transcription result not found"
} as const

/**
 * A refused subscriber should wait this many seconds. Other subscribers stay connected for a while,
 * so an earlier retry would fail too.
 */
const listenerSeconds = 5

const transcriptionTable = {
  CallbackMissing: detailAs(400),
  CorrectionStoreError: Effect.die,
  CorrectionsContended: detailAs(409),
  CorrectionsFull: detailAs(409),
  CorrectionsMoved: detailAs(409),
  CorrectionsNotFound: detailAs(404),
  FileEmpty: detailAs(400),
  FileTooLarge: detailAs(413),
  IdempotencyConflict: detailAs(409),
  InsufficientBalance: () => detail(403, "Insufficient balance"),
  InvalidParameter: detailAs(400),
  InvalidRequest: detailAs(400),
  JobStoreError: Effect.die,
  LimitReached: ({ message, retryAfter }: LimitReached) =>
    refuseUntil({ message, seconds: Duration.toSeconds(retryAfter) }),
  MalformedBody: detailAs(400),
  MediaAwaited: detailAs(409),
  MediaExpired: detailAs(409),
  MediaStoreError: Effect.die,
  NotFailed: detailAs(409),
  NothingToCorrect: detailAs(409),
  PeaksMissing: detailAs(404),
  CursorUnknown: detailAs(400),
  RedeliveredLately: detailAs(409),
  RenewedTooOften: detailAs(409),
  RequestNotFound: () => detail(404, "Request not found"),
  ResultsRemoved: detailAs(410),
  StatusChanged: detailAs(409),
  // A retry can succeed after another subscriber has left, or in another process with capacity.
  TooManySubscribers: ({ message, of }: TooManySubscribers) =>
    refuseUntil({ message, seconds: listenerSeconds, status: of === "process" ? 503 : 429 }),
  TooManyReaders: () => refuseForNow,
  TooManyRepeats: () => refuseForNow,
  TooManyUrlChecks: () => refuseForNow,
  TranscriptMissing: ({ during }: { readonly during: keyof typeof missing }) =>
    detail(500, missing[during]),
  UnsupportedExtension: detailAs(415),
  UrlUnreachable: detailAs(400),
  UrlUnresolved: detailAs(400),
  WebhookPending: detailAs(409),
  WorkspaceNotFound: Effect.die,
  WorkspaceStoreError: Effect.die
}

/** Converts refusals of transcription operations to errors. */
export const answerJobRefusals = answerBy(transcriptionTable)

/**
 * Converts refusals of retries and redeliveries to errors. Both operations need the job's results.
 */
export const answerRenewalRefusals = answerBy({
  ...transcriptionTable,
  ResultsRemoved: detailAs(409)
})
