/** A ledger line: a change to a workspace's balance, with its time and reason. */
import type { DateTime } from "effect"
import type { JobId } from "../attempt/Attempt.ts"
import type { ApiKeyId } from "../workspace/ApiKey.ts"

/** The reason for a ledger line: a job with the key that submitted it, or a credit. */
export type LedgerReason =
  | {
      readonly _tag: "Charge"
      /** The id of the charged job. The line remains even if the job is deleted. */
      readonly jobId: JobId
      /** The key that submitted the job; null if there was none, or if none was recorded. */
      readonly keyId: ApiKeyId | null
    }
  | { readonly _tag: "Credit"; readonly creditId: string }

/** A single change to a workspace's balance. */
export interface LedgerLine {
  /** The number of the line. Numbers ascend across all ledgers of a store, and may have gaps. */
  readonly ordinal: number
  readonly at: DateTime.Utc
  /** Milliseconds of audio; negative for a charge. */
  readonly millis: number
  readonly reason: LedgerReason
}
