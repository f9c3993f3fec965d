/**
 * Requests that a client may send again without making a second job: the same key with the same
 * request, within a day, names the job that the first one made.
 */
import { DateTime, Duration, type Option, Schema } from "effect"
import type { JobId } from "./JobId.ts"

/** 1 to 255 visible ASCII characters, chosen by the client. */
export const IdempotencyKey = Schema.String.check(Schema.isPattern(/^[\x21-\x7e]{1,255}$/)).pipe(
  Schema.brand("IdempotencyKey")
)
export type IdempotencyKey = typeof IdempotencyKey.Type

/** How long a key stands for its first request. */
export const window: Duration.Duration = Duration.hours(24)

/** The first request under a key. It outlives its job, so that a repeat never makes another one. */
export interface IdempotencyRecord {
  readonly key: IdempotencyKey
  /** SHA-256, in hex, of the accepted request and its file. */
  readonly fingerprint: string
  readonly jobId: JobId
  readonly at: DateTime.Utc
}

/** Whether a record still stands for its request. */
export const isCurrent = ({ at }: IdempotencyRecord, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(DateTime.addDuration(at, window), now)

/** Reads the header; none when it is malformed. */
export const parse: (text: string) => Option.Option<IdempotencyKey> =
  Schema.decodeOption(IdempotencyKey)

/** A key came with another request than before, or its job is gone. */
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
