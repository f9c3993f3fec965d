/** Tests the samples of the queue over the last day, and the gaps between them. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { recordOfKinds } from "#src/domain/attempt/Work"
import { type PendingCounts, WorkQueue, WorkQueueError } from "#src/ports/WorkQueue"
import {
  addSample,
  QueueHistory,
  type QueueSample,
  sampleRetention
} from "#src/worker/QueueHistory"

const day = Duration.toMillis(sampleRetention)

const instants = Arbitrary.array(
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 * day })))
)

const sampleAt = (millis: number): QueueSample => ({
  at: DateTime.makeUnsafe(millis),
  due: millis,
  leased: 0,
  later: 0
})

const millisOf = ({ at }: QueueSample): number => DateTime.toEpochMillis(at)

const none: ReadonlyArray<QueueSample> = []

describe("samples of the queue", () => {
  it.prop(
    "are in ascending order, end with the newest sample, and span less than a day",
    [instants],
    ([at]) => {
      at.reduce((before, millis) => {
        const samples = addSample(before, sampleAt(millis))
        const all = samples.map(millisOf)
        assert.strictEqual(all.at(-1), millis)
        for (const [index, each] of all.entries()) {
          assert.isTrue(index === 0 || (all[index - 1] ?? each) < each)
          assert.isAbove(each, millis - day)
        }
        return samples
      }, none)
    }
  )
})

const work = (waiting: number): PendingCounts => ({
  waiting,
  held: 2,
  later: 1,
  age: Duration.zero
})

/** A queue that returns these counts, and dies on any other call. */
const overQueue = (pendingCounts: WorkQueue["Service"]["pendingCounts"]) =>
  QueueHistory.layer.pipe(Layer.provide(Layer.mock(WorkQueue)({ pendingCounts })))

const read = Effect.flatMap(QueueHistory, ({ samples }) => samples)

describe("a history of the queue", () => {
  it.effect("has a sample at the start and one per minute, each with all kinds of work", () => {
    let waiting = 0
    const pendingCounts = Effect.sync(() => {
      waiting += 1
      return recordOfKinds(() => work(waiting))
    })
    const kinds = Object.keys(recordOfKinds(() => 0)).length
    return Effect.gen(function* () {
      yield* TestClock.adjust("150 seconds")
      const samples = yield* read
      assert.deepStrictEqual(
        samples.map((sample) => ({ ...sample, at: millisOf(sample) })),
        [0, 1, 2].map((minute) => ({
          at: minute * 60_000,
          due: (minute + 1) * kinds,
          leased: 2 * kinds,
          later: kinds
        }))
      )
    }).pipe(Effect.provide(overQueue(pendingCounts)))
  })

  it.effect("has gaps while the store does not respond, and continues afterwards", () => {
    let asked = 0
    const answers = [
      Effect.fail(new WorkQueueError({ operation: "pendingCounts", cause: "it is down" })),
      Effect.never,
      Effect.die("it is broken")
    ]
    const pendingCounts = Effect.suspend(() => {
      asked += 1
      return answers[asked - 1] ?? Effect.succeed(recordOfKinds(() => work(0)))
    })
    return Effect.gen(function* () {
      yield* TestClock.adjust("4 minutes")
      const samples = yield* read
      // The recorder waited five seconds for the second sample.
      assert.deepStrictEqual(samples.map(millisOf), [185_000])
    }).pipe(Effect.provide(overQueue(pendingCounts)))
  })
})
