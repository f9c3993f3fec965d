/** What is kept of a request that a client may send again without making a second job. */
import type { DateTime } from "effect"
import type { JobId } from "../attempt/JobId.ts"
import { type IdempotencyKey, isCurrentKey } from "../idempotency/IdempotencyKey.ts"

/** The first request under a key. It outlives its job, so that a repeat never makes another one. */
export interface IdempotencyRecord {
  readonly key: IdempotencyKey
  /** SHA-256, in hex, of the accepted request and its file. */
  readonly fingerprint: string
  readonly jobId: JobId
  readonly at: DateTime.Utc
}

/** Whether a record still stands for its request. */
export const isCurrentRecord = ({ at }: IdempotencyRecord, now: DateTime.Utc): boolean =>
  isCurrentKey(at, now)
