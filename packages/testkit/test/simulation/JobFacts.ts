/** Creates facts about one job: its acceptance, its webhooks, and its client's requests. */
import { audit } from "#src/simulation/audit/Auditor"
import type { Fact, FactOf, Seen, Submission } from "#src/simulation/record/Facts"

const submission: Submission = {
  marker: "m1",
  durationMillis: 61_001,
  hasCallback: true,
  modifier: null,
  summary: null,
  key: null
}

/** The acceptance of a one-minute recording. */
export const accept = (overrides: Partial<Submission> = {}): ReadonlyArray<Fact> => [
  { _tag: "Submitted", submission: { ...submission, ...overrides }, at: 0 },
  { _tag: "Accepted", marker: "m1", id: "a", at: 1 }
]

/** The acceptance of a one-minute recording with only a callback. */
export const begun = accept()

/** A webhook request that arrived at its receiver. */
export const received = (
  at: number,
  overrides: Partial<FactOf<"Received">> = {}
): FactOf<"Received"> => ({
  _tag: "Received",
  marker: "m1",
  webhookId: "w",
  body: "m1",
  at,
  status: 200,
  wasFrozen: false,
  ...overrides
})

const interval = (at: number) => ({ id: "a", beganAt: at, endedAt: at + 1 })

/** The status of a job without a webhook. */
export const seen = (transcription: string, more: Partial<Seen> = {}): Seen => ({
  status: transcription,
  transcription,
  webhook: null,
  summary: null,
  text: transcription === "COMPLETED" ? "This is m1." : null,
  error: transcription === "FAILED" ? "The engine failed" : null,
  ...more
})

export const looked = (at: number, what: Seen | "NotFound"): Fact => ({
  ...{ _tag: "Looked", seen: what },
  ...interval(at)
})

/** A read of a failed job with the given error. */
export const failedWith = (id: string, error: string): Fact => ({
  ...{ _tag: "Looked", seen: seen("FAILED", { error }) },
  ...interval(0),
  id
})

/** A request for a retry or a redelivery. */
export const requested = (
  tag: "Redelivery" | "Retry",
  at: number,
  answer: string
): FactOf<"Redelivery"> | FactOf<"Retry"> => ({ _tag: tag, answer, ...interval(at) })

export const removed = (at: number, isAnswered = true): Fact => ({
  ...{ _tag: "Removed", isAnswered },
  ...interval(at)
})

/** A ledger that sums to its balance. */
export const ledger = (...amounts: ReadonlyArray<number>): Fact => ({
  _tag: "LedgerRead",
  balanceMillis: amounts.reduce((sum, amount) => sum + amount, 0),
  amounts
})

/** Returns the guarantees broken by the facts. */
export const rulesOf = (facts: ReadonlyArray<Fact>): ReadonlyArray<string> =>
  audit(facts).map(({ rule }) => rule)
