/**
 * Tests the audit of a delivery that nothing requested, because the body of an earlier one was
 * lost.
 */
import { assert, describe, it } from "@effect/vitest"
import { auditDeliveries } from "#src/simulation/audit/DeliveryAudit"
import type { Fact, FactOf } from "#src/simulation/record/Facts"
import { begun, received, requested } from "./JobFacts.ts"

/** A request of this delivery, which the receiver did not answer. */
const sent = (at: number, webhookId: string, body = "m1"): FactOf<"Received"> =>
  received(at, { webhookId, body, status: null })

/** A corrections version that names the speaker. */
const corrected = (at: number, version = 1): Fact => ({
  _tag: "CorrectionRequested",
  beganAt: at,
  endedAt: at + 1,
  id: "a",
  kind: "Names",
  token: `c0w${version}`,
  to: null,
  answer: "",
  version
})

/** A job with a webhook that was sent, and a redelivery that was requested. */
const again: ReadonlyArray<Fact> = [
  ...begun,
  sent(10, "first"),
  requested("Redelivery", 100_000, "on its way"),
  sent(100_010, "second")
]

const replacing = sent(200_000, "third")

const rulesOf = (facts: ReadonlyArray<Fact>) => auditDeliveries(facts).map(({ rule }) => rule)

describe("auditDeliveries", () => {
  it("accepts another delivery if the first cannot be repeated after a correction", () => {
    assert.deepStrictEqual(rulesOf([...again, corrected(150_000), replacing]), [])
  })

  for (const [when, facts] of [
    ["nothing was corrected", [...again, replacing]],
    ["the correction came before", [...again, corrected(50_000), replacing]],
    ["the correction came later", [...again, replacing, corrected(200_001)]]
  ] as const) {
    it(`reports an extra delivery when ${when}`, () =>
      assert.deepStrictEqual(rulesOf(facts), ["every attempt has the same webhook-id"]))
  }
})
