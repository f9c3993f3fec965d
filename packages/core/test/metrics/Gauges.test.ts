/** Concurrent readers of the metrics share one store query, even if it is slow. */
import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@verbatim/adapters/memory"
import { counted, withRegistry } from "@verbatim/testkit/fakes"
import { Duration, Effect, type Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { recordOfKinds } from "#src/domain/attempt/Work"
import { type PendingCounts, WorkQueue, WorkQueueError } from "#src/ports/WorkQueue"
import { Gauges } from "#src/worker/Gauges"

type CountsQuery = WorkQueue["Service"]["pendingCounts"]

/** Runs a test with a queue that returns scripted counts, and counts the calls to it. */
const withQueue = <A, E>(
  pendingCounts: (ordinal: number, truth: CountsQuery) => CountsQuery,
  test: (state: { asked: number; underway: number; most: number }) => Effect.Effect<A, E, Gauges>
) => {
  const state = { asked: 0, underway: 0, most: 0 }
  const watched = Layer.effect(
    WorkQueue,
    Effect.map(WorkQueue, (queue) => ({
      ...queue,
      pendingCounts: Effect.suspend(() => {
        state.asked += 1
        state.underway += 1
        state.most = Math.max(state.most, state.underway)
        return Effect.ensuring(
          pendingCounts(state.asked, queue.pendingCounts),
          Effect.sync(() => {
            state.underway -= 1
          })
        )
      })
    }))
  ).pipe(Layer.provide(Memory.layer))
  return withRegistry(
    Effect.suspend(() => test(state)).pipe(
      Effect.provide(Gauges.layer.pipe(Layer.provide(watched)))
    )
  )
}

const refresh = Effect.flatMap(Gauges, (gauges) => gauges.refresh)

const readers = (count: number) =>
  Effect.forEach(Array.from({ length: count }), () => Effect.forkChild(refresh))

const ended = (fibers: ReadonlyArray<Fiber.Fiber<void>>) =>
  fibers.filter((fiber) => fiber.pollUnsafe() !== undefined).length

const failure = new WorkQueueError({ operation: "pendingCounts", cause: "it is down" })

const some = recordOfKinds(
  (): PendingCounts => ({ waiting: 3, held: 0, later: 0, age: Duration.seconds(7) })
)

describe("the queue's gauges", () => {
  it.effect("are read within two seconds, with one call at a time, even if the store is slow", () =>
    withQueue(
      () => Effect.never,
      Effect.fnUntraced(function* (state) {
        for (let count = 0; count < 30; count += 1) {
          const some = yield* readers(10)
          yield* TestClock.adjust("2 seconds")
          assert.strictEqual(ended(some), 10)
        }
        // In one minute, six calls start, ten seconds apart. Each is abandoned before the next
        // one starts.
        assert.deepStrictEqual({ ...state, underway: 0 }, { asked: 6, underway: 0, most: 1 })
        assert.strictEqual(yield* counted("verbatim_queue_up"), 0)
      })
    )
  )

  it.effect("show no stale values when the store no longer responds", () =>
    withQueue(
      (ordinal) => (ordinal === 1 ? Effect.succeed(some) : Effect.fail(failure)),
      Effect.fnUntraced(function* () {
        const waiting = counted("verbatim_backlog_tasks", { kind: "Fetch", state: "waiting" })
        yield* refresh
        assert.deepStrictEqual([yield* waiting, yield* counted("verbatim_queue_up")], [3, 1])
        yield* TestClock.adjust("10 seconds")
        yield* refresh
        assert.deepStrictEqual(
          [yield* waiting, yield* counted("verbatim_queue_up")],
          [undefined, 0]
        )
      })
    )
  )
})
