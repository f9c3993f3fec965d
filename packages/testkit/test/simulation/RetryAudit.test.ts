/** Tests the audit of retried jobs. */
import { assert, describe, it } from "@effect/vitest"
import type { Fact } from "#src/simulation/record/Facts"
import { accept, ledger, looked, removed, requested, rulesOf, seen } from "./JobFacts.ts"

const retried = (at: number, answer: string) => requested("Retry", at, answer)

const failed: ReadonlyArray<Fact> = [...accept({ hasCallback: false }), looked(10, seen("FAILED"))]

const charged = (times: number): Fact => ledger(...Array(times).fill(-61_001))

const again: ReadonlyArray<Fact> = [looked(30, seen("IN_QUEUE")), looked(40, seen("COMPLETED"))]

describe("The retry audit", () => {
  it("accepts a retry with a response or without one", () => {
    for (const answer of ["it runs", "no answer", "JobStoreError"]) {
      const facts = [...failed, retried(20, answer), ...again, charged(1)]
      assert.deepStrictEqual(rulesOf(facts), [])
    }
  })

  it("reports a job that runs again without a request, or after a refused one", () => {
    const rule = "statuses change only as the tables allow"
    assert.include(rulesOf([...failed, ...again, charged(1)]), rule)
    assert.include(rulesOf([...failed, retried(20, "MediaExpired"), ...again, charged(1)]), rule)
  })

  it("accepts another attempt at a failed summary, but only after a request", () => {
    const withSummary = (at: number, summary: string, text = "This is m1.") =>
      looked(at, seen("COMPLETED", { summary, text }))
    const first: ReadonlyArray<Fact> = [
      ...accept({ hasCallback: false, summary: "brief" }),
      withSummary(10, "FAILED: The engine failed"),
      charged(1)
    ]
    const made = [withSummary(30, "PENDING"), withSummary(40, "COMPLETED")]
    assert.deepStrictEqual(rulesOf([...first, retried(20, "it runs"), ...made]), [])
    const rule = "statuses change only as the tables allow"
    assert.include(rulesOf([...first, ...made]), rule)
    const other = withSummary(30, "PENDING", "This is m1, again.")
    assert.include(rulesOf([...first, retried(20, "it runs"), other, ...made.slice(1)]), rule)
  })

  it("reports an acknowledged retry that never ends", () => {
    const facts = [...failed, retried(20, "it runs"), looked(30, seen("IN_QUEUE"))]
    assert.include(rulesOf(facts), "every job ends within its time limit")
  })

  it("accepts a charge if the retried job was deleted before it was read again", () => {
    const gone: ReadonlyArray<Fact> = [removed(30), looked(40, "NotFound")]
    const facts = [...failed, retried(20, "it runs"), ...gone]
    assert.deepStrictEqual(rulesOf([...facts, charged(0)]), [])
    assert.deepStrictEqual(rulesOf([...facts, charged(1)]), [])
    const rule = "a job is charged once, for its length, when it was transcribed"
    assert.include(rulesOf([...facts, charged(2)]), rule)
    assert.include(rulesOf([...failed, retried(20, "MediaExpired"), ...gone, charged(1)]), rule)
    assert.include(rulesOf([retried(1, "it runs"), ...failed, ...gone, charged(1)]), rule)
  })

  it("reports a job that is charged for both runs", () => {
    const rule = "a job is charged once, for its length, when it was transcribed"
    assert.include(rulesOf([...failed, retried(20, "it runs"), ...again, charged(2)]), rule)
  })
})
