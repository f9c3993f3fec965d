/** Why a request makes no job. */
import { Schema } from "effect"
import type { IdempotencyConflict } from "../domain/idempotency/IdempotencyConflict.ts"
import type { Refusal } from "../domain/transcription/TranscriptionRefusal.ts"
import type { JobStoreError } from "../ports/JobStore.ts"
import type { MediaStoreError } from "../ports/MediaStore.ts"
import type { WorkspaceStoreError } from "../ports/WorkspaceStore.ts"
import type { LimitReached } from "./JobLimits.ts"
import type * as UrlChecks from "./UrlChecks.ts"
import type { WorkspaceNotFound } from "./WorkspaceReads.ts"

/** The workspace has 60 minutes left, or less. */
export class InsufficientBalance extends Schema.TaggedError<InsufficientBalance>()(
  "InsufficientBalance",
  {}
) {
  override readonly message = "The workspace has 60 minutes left, or less"
}

/** Why a request makes no job, apart from failures of the transport. */
export type NotSubmitted =
  | IdempotencyConflict
  | InsufficientBalance
  | JobStoreError
  | LimitReached
  | MediaStoreError
  | Refusal
  | UrlChecks.TooManyUrlChecks
  | WorkspaceNotFound
  | WorkspaceStoreError
