/** Recorded facts about one job's acceptance and its webhooks. */
import type { Fact, FactOf, Submission } from "#src/simulation/record/Facts"

const submission: Submission = {
  marker: "m1",
  durationMillis: 61_001,
  hasCallback: true,
  modifier: null,
  summary: null,
  key: null
}

/** A one-minute recording is accepted, with only a callback. */
export const begun: ReadonlyArray<Fact> = [
  { _tag: "Submitted", submission, at: 0 },
  { _tag: "Accepted", marker: "m1", id: "a", at: 1 }
]

/** A request that reached its receiver. */
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
