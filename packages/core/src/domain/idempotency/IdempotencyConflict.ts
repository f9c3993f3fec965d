/**
 * Why a request under an idempotency key is not answered with what the first one made.
 */
import { Schema } from "effect"

/** A key came with a different request than before, or its job is gone. */
export class IdempotencyConflict extends Schema.TaggedError<IdempotencyConflict>()(
  "IdempotencyConflict",
  { reason: Schema.Literals(["OtherRequest", "JobDeleted"]) }
) {
  override get message(): string {
    return this.reason === "OtherRequest"
      ? "Idempotency-Key was already used with another request"
      : "Idempotency-Key was used for a transcription that has been deleted"
  }
}
