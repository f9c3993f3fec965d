import { assert, describe, it } from "@effect/vitest"
import { Failure, isTransient } from "@verbatim/core/job/Failure"
import { decide, policies } from "@verbatim/core/job/Verdict"
import { WorkKind } from "@verbatim/core/job/Work"
import { DateTime, Schema } from "effect"

const start = DateTime.makeUnsafe(1_000_000)
const later = (seconds: number) => DateTime.makeUnsafe(1_000_000 + seconds * 1_000)
const lost = Failure.cases.WorkerLost.make({})
const failed = Failure.cases.EngineFailed.make({ detail: "" })
const refused = Failure.cases.ReceiverRefused.make({ status: 500 })

/** Seconds from the start of the attempt to the next one, or the end. */
const next = (kind: WorkKind, attempt: number, failure: Failure, endedAfter: number) => {
  const verdict = decide({
    policy: policies[kind],
    attempt,
    startedAt: start,
    failure,
    now: later(endedAfter)
  })
  return verdict._tag === "GiveUp"
    ? "give up"
    : (DateTime.toEpochMillis(verdict.dueAt) - DateTime.toEpochMillis(start)) / 1_000
}

describe("Verdict", () => {
  it("tries an engine again after 5 and 10 seconds, and gives up after the third attempt", () => {
    assert.strictEqual(next("Transcribe", 1, failed, 2), 7)
    assert.strictEqual(next("Transcribe", 2, failed, 2), 12)
    assert.strictEqual(next("Transcribe", 3, failed, 2), "give up")
  })

  it("tries a webhook again 60 seconds after the end of an attempt, three times in all", () => {
    assert.strictEqual(next("Deliver", 1, refused, 12), 72)
    assert.strictEqual(next("Deliver", 2, refused, 12), 72)
    assert.strictEqual(next("Deliver", 3, refused, 12), "give up")
  })

  it("takes up lost work at once, but a lost webhook 90 seconds after its start", () => {
    assert.strictEqual(next("Transcribe", 1, lost, 31), 31)
    assert.strictEqual(next("Deliver", 1, lost, 31), 90)
    assert.strictEqual(next("Deliver", 1, lost, 200), 200)
    assert.strictEqual(next("Deliver", 3, lost, 31), "give up")
  })

  it.prop(
    "never repeats what cannot help, and never begins earlier than now",
    [WorkKind, Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 })), Failure],
    ([kind, attempt, failure]) => {
      const verdict = next(kind, attempt, failure, 30)
      const isLast = attempt >= policies[kind].attemptMax
      if (isLast || !isTransient(failure)) assert.strictEqual(verdict, "give up")
      else assert.isAtLeast(Number(verdict), 30)
    }
  )
})
