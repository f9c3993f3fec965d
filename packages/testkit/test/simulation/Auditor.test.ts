import { assert, describe, it } from "@effect/vitest"
import { audit } from "#src/simulation/audit/Auditor"
import type { Fact, FactOf } from "#src/simulation/record/Facts"
import { begun, ledger, looked, received, removed, requested, rulesOf, seen } from "./JobFacts.ts"

const waiting = seen("IN_QUEUE", { webhook: "PENDING" })

const delivered = seen("TRANSCRIBED", {
  status: "WEBHOOK_DELIVERED",
  webhook: "DELIVERED",
  text: "This is m1."
})

const good: ReadonlyArray<Fact> = [
  ...begun,
  looked(2, waiting),
  received(10),
  looked(20, delivered),
  ledger(-61_001)
]

const called = (isOver: boolean): Fact => ({
  ...{ _tag: "Called", id: "a", noticeId: "notice", attempt: 1 },
  ...{ by: "worker-1.1", at: 21, wasFrozen: false, isOver }
})

/** Guarantees, each with facts that violate it. */
const broken: ReadonlyArray<readonly [string, ReadonlyArray<Fact>]> = [
  ["an acknowledged job is never lost", [...good, looked(30, "NotFound")]],
  ["statuses change only as the tables allow", [...good, looked(30, waiting)]],
  ["the fields of a job are consistent", [...good, looked(30, { ...delivered, status: "FAILED" })]],
  ["the fields of a job are consistent", [...good, looked(30, { ...delivered, text: "m2" })]],
  ["every job ends within its time limit", [...begun, looked(2, waiting)]],
  [
    "at most three requests are sent",
    [...good, received(100_000), received(200_000), received(300_000)]
  ],
  ["requests are at least 60 seconds apart", [...good, received(60_009)]],
  ["every attempt has the same webhook-id", [...good, received(70_011, { webhookId: "x" })]],
  ["every attempt has the same bytes", [...good, received(70_011, { body: "m1 again" })]],
  ["a webhook is about its own job", [...good, received(70_011, { body: "m2" })]],
  [
    "DELIVERED means that a receiver got the webhook and answered 2xx",
    [...begun, received(10, { status: 302 }), looked(20, delivered), ledger(-61_001)]
  ],
  ["a job is charged once, for its length, when it was transcribed", [...good, ledger()]],
  [
    "a job is charged once, for its length, when it was transcribed",
    [...good, ledger(-61_001, -61_001)]
  ],
  [
    "the ledger sums to the balance",
    [...good, { _tag: "LedgerRead", balanceMillis: 1, amounts: [] }]
  ],
  [
    "an acknowledged credit is booked once, and no other credit is booked",
    [...good, ledger(-61_001, 60_000)]
  ],
  [
    "a revoked key is refused, and every other key is accepted",
    [
      { _tag: "Revoked", key: "key-2", at: 5 },
      { _tag: "Authenticated", key: "key-2", isKnown: true, beganAt: 6, endedAt: 7 }
    ]
  ],
  [
    "no workspace sees another's job",
    [{ _tag: "StrangerLooked", what: "status", beganAt: 1, endedAt: 2, answer: "the job" }]
  ],
  ["every call has a deadline", [{ _tag: "StillWaiting", what: "a call", sinceMillis: 300_000 }]],
  ["the fields of a job are consistent", [...good, { _tag: "ResultRead", id: "a", body: "m2" }]],
  [
    "media is deleted within a day after its job has ended",
    [{ _tag: "MediaLeft", id: "a", key: "a/0.wav" }]
  ],
  ["every run ends", [{ _tag: "Ended", at: 1, stop: "nothing can happen any more" }]],
  [
    "a process that is stopping claims nothing",
    [{ _tag: "ClaimedLate", by: "worker", afterMillis: 250 }]
  ],
  ["a listener is called after all other work has ended", [called(false)]],
  ["nothing fails with a defect", [{ _tag: "Defect", by: "worker", what: "it died" }]],
  [
    "every job succeeds if there are no faults",
    [
      { _tag: "Faultless" },
      ...begun,
      looked(2, { ...waiting, status: "FAILED", transcription: "FAILED", error: "no" })
    ]
  ]
]

const keyed = (at: number, overrides: Partial<FactOf<"Keyed">>): Fact => ({
  _tag: "Keyed",
  marker: "m1",
  isOther: false,
  id: null,
  refusal: "",
  beganAt: at,
  endedAt: at + 1,
  ...overrides
})

const redelivered = (at: number) => requested("Redelivery", at, "on its way")

const once = "one key and request create one job per day"
const gone = "a deleted job stays deleted"

/** Guarantees about retries, redeliveries and deletions, each with facts that violate it. */
const brokenLater: typeof broken = [
  [once, [...good, keyed(30, { id: "b" }), keyed(31, { id: "a" })]],
  [once, [...good, keyed(30, { id: "a", isOther: true })]],
  [once, [...good, keyed(30, { refusal: "JobDeleted" })]],
  [once, [...good, keyed(30, { refusal: "InsufficientBalance" })]],
  [once, [...good, removed(30), keyed(40, { id: "a" })]],
  [once, [...good, keyed(90_000_000, { id: "a" })]],
  [gone, [...good, removed(30), looked(40, delivered)]],
  [gone, [...good, looked(30, "NotFound"), looked(40, delivered)]],
  [gone, [...good, removed(30), redelivered(40)]],
  ["every deletion is eventually answered", [...good, removed(30, false)]],
  [
    "no webhook begins later than a lease after its job was deleted",
    [...begun, looked(2, waiting), removed(30), received(30_052)]
  ],
  ["a delivery that has ended sends nothing more", [...good, redelivered(30), received(70_011)]],
  [
    "every attempt has the same webhook-id",
    [...good, redelivered(30), received(40, { webhookId: "x" }), received(50, { webhookId: "y" })]
  ],
  [
    "DELIVERED means that a receiver got the webhook and answered 2xx",
    [...good, redelivered(30), received(40, { webhookId: "x", status: 500 }), looked(50, delivered)]
  ],
  ["every job ends within its time limit", [...good, redelivered(30)]],
  [
    "only existing, unfinished jobs have pending work",
    [{ _tag: "Stored", entries: [], unfinished: 0, pending: 1 }]
  ]
]

describe("The auditor", () => {
  it("accepts a run without violations", () => {
    assert.deepStrictEqual(audit([...good, called(true)]), [])
  })

  it("accepts a successful redelivery and deletion", () => {
    const again = received(50, { webhookId: "x" })
    const later = [looked(60, delivered), removed(70), looked(90, "NotFound")]
    const facts = [...good, redelivered(30), again, ...later, keyed(95, { refusal: "JobDeleted" })]
    assert.deepStrictEqual(audit(facts), [])
  })

  for (const [rule, facts] of [...broken, ...brokenLater]) {
    it(`reports that "${rule}" does not hold`, () => assert.include(rulesOf(facts), rule))
  }

  it("excuses a sender that was paused after its clock check", () => {
    assert.deepStrictEqual(rulesOf([...good, received(60_009, { wasFrozen: true })]), [])
  })
})
