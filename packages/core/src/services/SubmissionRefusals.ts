/** Why a request makes no job. */
import type { IdempotencyConflict } from "../domain/idempotency/IdempotencyKey.ts"
import type { Refusal } from "../domain/transcription/TranscriptionRefusal.ts"
import type { JobStoreError } from "../ports/JobStore.ts"
import type { MediaStoreError } from "../ports/MediaStore.ts"
import type { WorkspaceStoreError } from "../ports/WorkspaceStore.ts"
import type { NoNewJob, TooManyRepeats } from "./Admissions.ts"
import type * as UrlChecks from "./UrlChecks.ts"
import type { WorkspaceNotFound } from "./WorkspaceReads.ts"

/** Why a request makes no job, apart from failures of the transport. */
export type NotSubmitted =
  | IdempotencyConflict
  | JobStoreError
  | MediaStoreError
  | NoNewJob
  | Refusal
  | TooManyRepeats
  | UrlChecks.TooManyUrlChecks
  | WorkspaceNotFound
  | WorkspaceStoreError
