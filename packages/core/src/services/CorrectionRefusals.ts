/** Why corrections are not read, or not made. */
import { Schema } from "effect"
import type {
  CorrectionsFull,
  CorrectionsMoved,
  CorrectionsNotFound,
  NothingToCorrect
} from "../domain/correction/CorrectionRefusal.ts"
import type { IdempotencyConflict } from "../domain/idempotency/IdempotencyKey.ts"
import type { InvalidParameter } from "../domain/transcription/TranscriptionRefusal.ts"
import type { CorrectionStoreError } from "../ports/CorrectionStore.ts"
import type { JobStoreError } from "../ports/JobStore.ts"
import type { RequestNotFound } from "./JobRefusals.ts"

/** Others corrected the same transcript at the same moment, again and again. */
export class CorrectionsContended extends Schema.TaggedError<CorrectionsContended>()(
  "CorrectionsContended",
  {}
) {
  override readonly message = "Others correct this transcript now. Please try again later."
}

/** Why corrections are not read. */
export type CorrectionsUnread =
  | CorrectionStoreError
  | InvalidParameter
  | JobStoreError
  | NothingToCorrect
  | RequestNotFound

/** Why corrections are not made. */
export type NotCorrected =
  | CorrectionsContended
  | CorrectionsFull
  | CorrectionsMoved
  | CorrectionsNotFound
  | CorrectionsUnread
  | IdempotencyConflict
