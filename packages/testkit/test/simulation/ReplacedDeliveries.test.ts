/** What the auditor says about a delivery that begins unasked, in place of one with a lost body. */
import { assert, describe, it } from "@effect/vitest"
import { auditCorrections } from "#src/simulation/audit/CorrectionAudit"
import { auditDeliveries } from "#src/simulation/audit/DeliveryAudit"
import type { Fact, FactOf } from "#src/simulation/record/Facts"
import { begun, received } from "./DeliveryFacts.ts"

/** A request of the delivery with that id, which its receiver did not answer. */
const sent = (at: number, webhookId: string, body = "m1"): FactOf<"Received"> =>
  received(at, { webhookId, body, status: null })

const wanted = (at: number, answer: string): Fact => ({
  _tag: "Redelivery",
  id: "a",
  beganAt: at,
  endedAt: at + 1,
  answer
})

/** That version, which names the speaker. */
const corrected = (at: number, version = 1): Fact => ({
  _tag: "CorrectionAsked",
  beganAt: at,
  endedAt: at + 1,
  id: "a",
  kind: "Names",
  token: `c0w${version}`,
  to: null,
  answer: "",
  version
})

/** Delivered, and wanted again. */
const again: ReadonlyArray<Fact> = [
  ...begun,
  sent(10, "first"),
  wanted(100_000, "on its way"),
  sent(100_010, "second")
]

const replacing = sent(200_000, "third")

const rulesOf = (facts: ReadonlyArray<Fact>) =>
  [...auditDeliveries(facts), ...auditCorrections(facts)].map(({ rule }) => rule)

describe("The auditor of deliveries", () => {
  it("has nothing against another one of what was corrected before it could be repeated", () => {
    assert.deepStrictEqual(rulesOf([...again, corrected(150_000), replacing]), [])
  })

  for (const [when, facts] of [
    ["nothing was corrected", [...again, replacing]],
    ["something was corrected before", [...again, corrected(50_000), replacing]],
    ["something was corrected later", [...again, replacing, corrected(200_001)]]
  ] as const) {
    it(`sees one too many where ${when}`, () =>
      assert.deepStrictEqual(rulesOf(facts), ["every attempt has the same webhook-id"]))
  }
})

describe("The auditor of corrections", () => {
  const versions = [1, 2].map((version) => ({
    version,
    backTo: null,
    changed: `namec0w${version}n0`
  }))

  /** The webhook that follows the first one, and shows the first correction. */
  const factsWith = (next: FactOf<"Received">): ReadonlyArray<Fact> => [
    ...begun,
    sent(10, "first"),
    corrected(100_000, 1),
    corrected(150_000, 2),
    wanted(300_000, "WebhookPending"),
    { _tag: "CorrectionsListed", id: "a", recognised: "m1", versions },
    next
  ]

  it("takes no such delivery for one that was asked for when more was known", () => {
    const next = sent(200_000, "second", "m1 namec0w1n0")
    assert.deepStrictEqual(rulesOf(factsWith(next)), [])
  })

  it("sees that one that was asked for shows less than was known", () => {
    const next = sent(320_000, "second", "m1 namec0w1n0")
    const facts = [...factsWith(next), wanted(310_000, "on its way")]
    assert.deepStrictEqual(rulesOf(facts), ["who knows of a correction reads it"])
  })
})
