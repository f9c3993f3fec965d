/**
 * Ledgers on the wire: their lines, and the page that they stand on.
 */
import type { LedgerLine } from "@verbatim/core/job"
import { toAmount } from "@verbatim/core/workspace"
import { DateTime, Schema } from "effect"
import { instant, orNull, uuid } from "../AnswerFields.ts"
import { makeMillis, makeMinutes, nextCursor } from "./UsageFields.ts"

const LedgerLineView = Schema.Struct({
  at: instant.annotate({ description: "When the job was charged, or the credit given." }),
  minutes: makeMinutes("What was added, negative where it was taken"),
  millis: makeMillis("The same"),
  job_id: orNull(uuid, "The job that was charged, which may be deleted; null for a credit."),
  key_id: orNull(uuid, "The key that asked for the job; null where no key did, and for a credit."),
  credit_id: orNull(Schema.String, "The id of the credit; null for a charge.")
}).annotate({ identifier: "LedgerLine" })

const none = { job_id: null, key_id: null, credit_id: null }

const examples: ReadonlyArray<typeof LedgerLineView.Type> = [
  {
    ...none,
    at: "2025-01-02T03:04:05.678Z",
    minutes: "-2.05",
    millis: -123_456,
    job_id: "019425f4-8e1e-7a3c-8d05-3f6f2b1c9e77",
    key_id: "018f4d6e-8f2a-7c3b-9d1e-2f3a4b5c6d7e"
  },
  {
    ...none,
    at: "2025-01-01T00:00:00.000Z",
    minutes: "600.00",
    millis: 36_000_000,
    credit_id: "5f9a3b1e-6c0d-4e8f-9a7b-2c1d0e3f4a5b"
  }
]

/** A page of a ledger. */
export const LedgerPage = Schema.Struct({
  data: Schema.Array(LedgerLineView),
  next_cursor: nextCursor
}).annotate({
  identifier: "LedgerPage",
  description: "Lines of the ledger, the newest first.",
  examples: [{ data: examples, next_cursor: null }]
})

/** Shows a line. */
export const toLedgerView = ({
  at,
  millis,
  reason
}: Omit<LedgerLine, "place">): typeof LedgerLineView.Type => ({
  ...none,
  at: DateTime.formatIso(at),
  minutes: toAmount(millis),
  millis,
  ...(reason._tag === "Charge"
    ? { job_id: reason.jobId, key_id: reason.keyId }
    : { credit_id: reason.creditId })
})
