/** What the auditor says of calls that came when they should not have. */
import { assert, describe, it } from "@effect/vitest"
import { auditNotices } from "#src/simulation/audit/NoticeAudit"
import type { Fact, FactOf } from "#src/simulation/record/Facts"

const id = "job"

const called = (hook: "transcribed" | "finished", at: number): FactOf<"Called"> => ({
  _tag: "Called",
  ...{ id, hook, at, noticeId: `notice of ${hook}`, attempt: 1, by: "worker-1.1" },
  ...{ wasFrozen: false, isOver: hook === "finished", isTranscribed: true }
})

const rulesOf = (facts: ReadonlyArray<Fact>) => auditNotices(facts).map(({ rule }) => rule)

describe("The auditor of notices", () => {
  it("finds nothing in a call for the transcript, and one for the end", () => {
    assert.deepStrictEqual(rulesOf([called("transcribed", 1), called("finished", 2)]), [])
  })

  it("finds a call for the transcript after the one for the end", () => {
    const calls = [called("finished", 1), called("transcribed", 2)]
    assert.deepStrictEqual(rulesOf(calls), ["a listener hears of the end last"])
    const wish = { id, answer: "it is told again", beganAt: 1, endedAt: 1 }
    assert.deepStrictEqual(rulesOf([...calls, { _tag: "Renotified", ...wish }]), [])
  })

  it("finds a call for a transcript that is not there", () => {
    assert.deepStrictEqual(rulesOf([{ ...called("transcribed", 1), isTranscribed: false }]), [
      "a listener is told of a transcript only where there is one"
    ])
  })

  it("lets a webhook be pending when the host hears of the transcript, not of the end", () => {
    assert.deepStrictEqual(rulesOf([{ ...called("transcribed", 1), isOver: false }]), [])
    assert.deepStrictEqual(rulesOf([{ ...called("finished", 1), isOver: false }]), [
      "a listener is called when all else is over"
    ])
  })
})
