/**
 * The refusals of the transcription operations on the wire, one table for each kind of operation.
 */

import type { TooManyListeners } from "@verbatim/core/services"
import { Effect } from "effect"
import {
  makeTranscriptionError,
  type TranscriptionError,
  type TranscriptionStatus
} from "../../contract/Errors.ts"
import { refuseUntil } from "../auth/KeyShare.ts"

/** Refuses with a sentence. */
const refuse = <const Status extends TranscriptionStatus>(
  status: Status,
  detail: string
): Effect.Effect<never, TranscriptionError<Status>> =>
  Effect.fail(makeTranscriptionError(status, detail))

/** Refuses with the refusal's own sentence. */
const refuseAs =
  <const Status extends TranscriptionStatus>(status: Status) =>
  ({ message }: { readonly message: string }) =>
    refuse(status, message)

/** A failed store dies: the edge logs it and answers. */
const storeFailures = {
  JobStoreError: Effect.die,
  WorkspaceNotFound: Effect.die,
  WorkspaceStoreError: Effect.die
} as const

/** Refusals of the operation that accepts a job. */
export const submissionRefusals = {
  ...storeFailures,
  MediaStoreError: Effect.die,
  InsufficientBalance: () => refuse(403, "Insufficient balance"),
  FileEmpty: refuseAs(400),
  InvalidParameter: refuseAs(400),
  MalformedBody: refuseAs(400),
  UrlUnresolved: refuseAs(400),
  UrlUnreachable: refuseAs(400),
  IdempotencyConflict: refuseAs(409),
  FileTooLarge: refuseAs(413),
  UnsupportedExtension: refuseAs(415)
} as const

/** Refusals of the operation that lists jobs. */
export const listRefusals = { ...storeFailures, InvalidParameter: refuseAs(400) } as const

/** Refusals of operations on a job, when only the store of jobs is asked. */
export const jobRefusals = {
  JobStoreError: Effect.die,
  RequestNotFound: () => refuse(404, "Request not found")
} as const

/** Refusals of those who listen. */
export const listenerRefusals = {
  JobStoreError: Effect.die,
  PlaceUnknown: refuseAs(400)
} as const

/** Refusals of operations that show a job with the balance of its workspace. */
export const statusRefusals = { ...storeFailures, ...jobRefusals } as const

/** Why there is no transcript, by what the job was doing when it failed. */
const missing = {
  Fetching: "Failed to access the file or invalid URL",
  Running: "Transcription result not found"
} as const

/** Refusals of the operation that reads a transcript. */
export const resultRefusals = {
  ...statusRefusals,
  InvalidParameter: refuseAs(400),
  ResultsRemoved: refuseAs(410),
  TranscriptMissing: ({ during }: { readonly during: keyof typeof missing }) =>
    refuse(500, missing[during])
} as const

/** Refusals of the operation that delivers a webhook again. */
export const redeliveryRefusals = {
  ...statusRefusals,
  CallbackMissing: refuseAs(400),
  RedeliveredLately: refuseAs(409),
  RenewedTooOften: refuseAs(409),
  ResultsRemoved: refuseAs(409),
  WebhookPending: refuseAs(409)
} as const

/** Refusals of the operation that plays a recording. */
export const mediaRefusals = {
  ...jobRefusals,
  MediaStoreError: Effect.die,
  MediaAwaited: refuseAs(409),
  MediaExpired: refuseAs(409)
} as const

/** Refusals of the operation that reads peaks. */
export const peaksRefusals = { ...jobRefusals, PeaksMissing: refuseAs(404) } as const

/** Refusals of the operation that runs a failed job again. */
export const retryRefusals = {
  ...statusRefusals,
  MediaExpired: refuseAs(409),
  NotFailed: refuseAs(409),
  RenewedTooOften: refuseAs(409),
  ResultsRemoved: refuseAs(409),
  WebhookPending: refuseAs(409)
} as const

/** Refusals of the operation that reads corrections. */
export const correctionsRefusals = {
  ...jobRefusals,
  CorrectionStoreError: Effect.die,
  InvalidParameter: refuseAs(400),
  NothingToCorrect: refuseAs(409)
} as const

/** Refusals of the operation that reads one version of corrections. */
export const correctionVersionRefusals = {
  ...correctionsRefusals,
  CorrectionsNotFound: refuseAs(404)
} as const

/** Refusals of the operations that write corrections. */
export const correctionRefusals = {
  ...correctionVersionRefusals,
  CorrectionsContended: refuseAs(409),
  CorrectionsFull: refuseAs(409),
  CorrectionsMoved: refuseAs(409),
  IdempotencyConflict: refuseAs(409),
  MalformedBody: refuseAs(400)
} as const

/** Listeners do not leave soon. */
const retrySeconds = 5

/** Asks a listener to come back when others have left, or to another process that has room. */
export const refuseListener = ({ message, of }: Pick<TooManyListeners, "message" | "of">) =>
  refuseUntil({ message, seconds: retrySeconds, status: of === "process" ? 503 : 429 })
