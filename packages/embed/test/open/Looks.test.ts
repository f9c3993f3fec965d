/** When somebody who waits for a job looks at the store. */
import { assert, describe, it } from "@effect/vitest"
import { JobRecords } from "@verbatim/core/services"
import { makeUploadJob, userId } from "@verbatim/testkit/samples"
import { Duration, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { makeNewsDesk } from "#src/open/NewsDesk"
import { makeWait, nearInterval, soon } from "#src/open/Waiting"

/** A store that counts the looks, and shows what the test says. */
const watched = Effect.gen(function* () {
  const desk = makeNewsDesk()
  const state = { looks: 0, job: makeUploadJob(1) }
  const records = Layer.mock(JobRecords, {
    find: () =>
      Effect.sync(() => {
        state.looks += 1
        return state.job
      }),
    progress: () => Effect.succeed(Option.none())
  })
  const { id, workspaceId } = state.job
  const principal = { kind: "management" as const, workspaceId, userId: userId(1) }
  const wait = makeWait(desk, nearInterval)
  const waiting = wait({ id, principal, onProgress: () => undefined })
  yield* Effect.forkScoped(Effect.provide(waiting, records), { startImmediately: true })
  yield* Effect.yieldNow
  return { state, tell: Effect.sync(() => desk.tell({ id })) }
})

const pass = (span: Duration.Input) => Effect.andThen(TestClock.adjust(span), Effect.yieldNow)

describe("who waits", () => {
  it.effect("looks at long intervals where nothing is told", () =>
    Effect.gen(function* () {
      const { state } = yield* watched
      assert.strictEqual(state.looks, 1)
      yield* pass(Duration.times(nearInterval, 4))
      assert.strictEqual(state.looks, 5)
    })
  )

  it.effect("looks again soon, and ever later, for news that is not committed yet", () =>
    Effect.gen(function* () {
      const { state, tell } = yield* watched
      yield* tell
      yield* pass(0)
      // It believes what the store shows, and that is the job as it was.
      assert.strictEqual(state.looks, 2)
      yield* pass(soon)
      assert.strictEqual(state.looks, 3)
      yield* pass(Duration.times(soon, 2))
      assert.strictEqual(state.looks, 4)
      // Five more until it is as long as ever: 200, 400, 800, 1,600 and 3,200 ms.
      yield* pass(Duration.times(soon, 4 + 8 + 16 + 32 + 64))
      assert.strictEqual(state.looks, 9)
      yield* pass(Duration.times(nearInterval, 2))
      assert.strictEqual(state.looks, 11)
    })
  )

  it.effect("has no reason to where the store shows the news", () =>
    Effect.gen(function* () {
      const { state, tell } = yield* watched
      state.job = { ...state.job, revision: state.job.revision + 1 }
      yield* tell
      yield* pass(0)
      assert.strictEqual(state.looks, 2)
      yield* pass(Duration.subtract(nearInterval, Duration.millis(1)))
      assert.strictEqual(state.looks, 2)
    })
  )
})
