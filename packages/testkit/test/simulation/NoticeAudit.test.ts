/** Tests the audit of notice calls at the wrong time. */
import { assert, describe, it } from "@effect/vitest"
import { auditNotices } from "#src/simulation/audit/NoticeAudit"
import type { Fact, FactOf } from "#src/simulation/record/Facts"

const id = "job"

const called = (isOver: boolean): FactOf<"Called"> => ({
  _tag: "Called",
  ...{ id, at: 1, noticeId: "notice", attempt: 1, by: "worker-1.1", wasFrozen: false, isOver }
})

const rulesOf = (facts: ReadonlyArray<Fact>) => auditNotices(facts).map(({ rule }) => rule)

describe("auditNotices", () => {
  it("accepts a call after the end of a job, and reports an earlier call", () => {
    assert.deepStrictEqual(rulesOf([called(true)]), [])
    assert.deepStrictEqual(rulesOf([called(false)]), [
      "a listener is called after all other work has ended"
    ])
  })
})
