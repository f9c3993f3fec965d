import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Schema } from "effect"
import { Setbacks } from "#src/domain/attempt/Attempt"
import { Failure, isOutage, isTransient } from "#src/domain/attempt/Failure"
import { decide, patience, policies } from "#src/domain/attempt/Verdict"
import { isNotification, Task } from "#src/domain/attempt/Work"

const start = DateTime.makeUnsafe(1_000_000)
const later = (seconds: number) => DateTime.makeUnsafe(1_000_000 + seconds * 1_000)
const lost = Failure.cases.WorkerLost.make({})
const failed = Failure.cases.EngineFailed.make({ detail: "" })
const refused = Failure.cases.ReceiverRefused.make({ status: 500 })
const away = Failure.cases.EngineUnavailable.make({ detail: "503" })

/** A failed attempt, with its duration in seconds. */
interface Attempt {
  readonly task: Task
  readonly attempt: number
  readonly failure: Failure
  readonly endedAfter: number
  readonly setbacks?: Setbacks
  /** Seconds from the job's acceptance to the start of the attempt. */
  readonly age?: number
}

const judge = ({ age = 0, endedAfter, task, ...attempt }: Attempt) =>
  decide({
    ...attempt,
    policy: policies[task],
    startedAt: start,
    now: later(endedAfter),
    requestedAt: later(-age)
  })

/**
 * Returns the seconds from the start of this attempt to the next one, or "give up" if this was the
 * last.
 */
const next = (task: Task, attempt: number, failure: Failure, endedAfter: number) => {
  const verdict = judge({ task, attempt, failure, endedAfter })
  return verdict._tag === "GiveUp"
    ? "give up"
    : (DateTime.toEpochMillis(verdict.dueAt) - DateTime.toEpochMillis(start)) / 1_000
}

const anyOrdinal = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 }))

describe("Verdict", () => {
  it("retries an engine after 5 and 10 seconds, and gives up after the third attempt", () => {
    assert.strictEqual(next("Transcribe", 1, failed, 2), 7)
    assert.strictEqual(next("Transcribe", 2, failed, 2), 12)
    assert.strictEqual(next("Transcribe", 3, failed, 2), "give up")
  })

  it("retries a webhook 60 seconds after an attempt ended, up to three attempts", () => {
    assert.strictEqual(next("Deliver", 1, refused, 12), 72)
    assert.strictEqual(next("Deliver", 2, refused, 12), 72)
    assert.strictEqual(next("Deliver", 3, refused, 12), "give up")
  })

  it("retries a lost webhook 90 seconds after its start, and other lost work immediately", () => {
    assert.strictEqual(next("Transcribe", 1, lost, 31), 31)
    assert.strictEqual(next("Deliver", 1, lost, 31), 90)
    assert.strictEqual(next("Deliver", 1, lost, 200), 200)
    assert.strictEqual(next("Deliver", 3, lost, 31), "give up")
  })

  it("isolates a task after its process died, and gives up after three deaths in isolation", () => {
    const verdicts = [0, 1, 2].flatMap((deaths) =>
      [false, true].map((isSuspect) => {
        const setbacks = { outages: 0, deaths, isSuspect }
        return judge({ task: "Fetch", attempt: 3, failure: lost, endedAfter: 31, setbacks })._tag
      })
    )
    const [together, alone] = ["Isolate", "Isolate"]
    assert.deepStrictEqual(verdicts, [together, alone, together, alone, together, "GiveUp"])
  })

  it("waits for an unreachable dependency with a delay that doubles from 1 to 60 seconds", () => {
    const waits = [0, 1, 2, 5, 6, 7, 1_000].map((outages) => {
      const setbacks = { outages, deaths: 0, isSuspect: false }
      const verdict = judge({
        task: "Transcribe",
        attempt: 3,
        failure: away,
        endedAfter: 0,
        setbacks
      })
      return verdict._tag === "Postpone" ? verdict.dueAt.epochMilliseconds / 1_000 - 1_000 : verdict
    })
    assert.deepStrictEqual(waits, [1, 2, 4, 32, 60, 60, 60])
  })

  it("stops waiting for a dependency when the job is a day old", () => {
    const day = Duration.toSeconds(patience.maxAge)
    const outage = { task: "Summarize", attempt: 1, failure: away, endedAfter: 0 } as const
    assert.strictEqual(judge({ ...outage, age: day - 1 })._tag, "Postpone")
    assert.strictEqual(judge({ ...outage, age: day })._tag, "Retry")
    assert.strictEqual(judge({ ...outage, attempt: 3, age: day })._tag, "GiveUp")
  })

  it.prop(
    "never retries a permanent failure, and never schedules a retry in the past",
    [Task, anyOrdinal, Failure],
    ([task, attempt, failure]) => {
      const verdict = next(task, attempt, failure, 30)
      const isSpent = !isOutage(failure) && (failure._tag !== "WorkerLost" || isNotification(task))
      const isLast = isSpent && attempt >= policies[task].maxAttempts
      if (isLast || !isTransient(failure)) assert.strictEqual(verdict, "give up")
      else assert.isAtLeast(Number(verdict), 30)
    }
  )

  it.prop(
    "never counts an outage as an attempt, however many attempts preceded it",
    [Task, anyOrdinal, Failure, Setbacks],
    ([task, attempt, failure, setbacks]) => {
      const verdict = judge({ task, attempt, failure, endedAfter: 30, setbacks })
      assert.strictEqual(verdict._tag === "Postpone", isOutage(failure))
    }
  )
})
