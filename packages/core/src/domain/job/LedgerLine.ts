/**
 * A line of a ledger: by how much it changed a balance, when, and what for.
 */
import type { DateTime } from "effect"
import type { JobId } from "../attempt/Attempt.ts"
import type { ApiKeyId } from "../workspace/ApiKey.ts"

/** What a line is about: a job and the key that asked for it, or a credit. */
export type LedgerReason =
  | {
      readonly _tag: "Charge"
      /** The line stays when the job is deleted. */
      readonly jobId: JobId
      /** Null where no key asked for it, or none was noted. */
      readonly keyId: ApiKeyId | null
    }
  | { readonly _tag: "Credit"; readonly creditId: string }

/** A line of a ledger. */
export interface LedgerLine {
  /** Counts up over the ledgers of a store, with gaps. */
  readonly place: number
  readonly at: DateTime.Utc
  /** Milliseconds of audio; negative when they are taken. */
  readonly millis: number
  readonly reason: LedgerReason
}
