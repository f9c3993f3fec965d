/** Tests that a write takes effect exactly once, even if the store's response is lost. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { JobStore, JobStoreError, unanswered } from "#src/ports/JobStore"
import { Submissions } from "#src/services/intake/Submissions"
import { Jobs } from "#src/services/jobs/Jobs"
import { caller, recordingParts, stored, submit } from "../../world/caller.ts"
import { replace } from "../../world/ports.ts"
import { deployment, front } from "../../world/world.ts"

/** A store that writes, but loses the first few responses. */
const forgetful = (times: number) =>
  replace(JobStore, (store) => {
    let left = times
    const untold = <A>(operation: string, write: Effect.Effect<A, JobStoreError>) =>
      Effect.tap(write, () => (left-- > 0 ? unanswered(operation) : Effect.void))
    return {
      insert: (creation) => untold("insert", store.insert(creation)),
      remove: (workspace, id) => untold("remove", store.remove(workspace, id))
    }
  })

/** A store that fails to insert jobs. */
const full = replace(JobStore, () => ({ insert: () => unanswered("insert") }))

const services = (times: number) => Layer.fresh(front.pipe(Layer.provide(forgetful(times))))

/** Runs an effect while the clock advances. */
const meanwhile = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(effect)
  yield* TestClock.adjust("10 seconds")
  return yield* Fiber.join(fiber)
})

const all = Effect.fnUntraced(function* () {
  const principal = yield* caller
  const jobs = yield* Jobs
  return { principal, list: Effect.map(jobs.list(principal, {}), ({ data }) => data) }
})

describe("When responses of the job store are lost", () => {
  // After its retries, the service queries the store for the job.
  for (const times of [1, 3, 100]) {
    it.effect(`a submission creates only one job, even after ${times} lost responses`, () =>
      Effect.gen(function* () {
        const { list, principal } = yield* all()
        yield* meanwhile(Effect.provide(submit(principal, {}), services(times)))
        assert.lengthOf(yield* list, 1)
      }).pipe(Effect.provide(deployment))
    )

    it.effect(
      `a submission with a key creates only one job, even after ${times} lost responses`,
      () =>
        Effect.gen(function* () {
          const { list, principal } = yield* all()
          const keyed = Effect.flatMap(Submissions, (submissions) => {
            const parts = recordingParts({})
            const idempotencyKey = "key-1"
            return submissions.submit(principal, { isTextual: false, idempotencyKey, parts })
          })
          const first = yield* meanwhile(Effect.provide(keyed, services(times)))
          const again = yield* keyed
          assert.strictEqual(again.id, first.id)
          assert.lengthOf(yield* list, 1)
        }).pipe(Effect.provide(deployment))
    )
  }

  it.effect("a submission fails if the store never wrote the job", () =>
    Effect.gen(function* () {
      const { list, principal } = yield* all()
      const services = Layer.fresh(front.pipe(Layer.provide(full)))
      const failed = Effect.flip(submit(principal, {})).pipe(Effect.provide(services), meanwhile)
      assert.instanceOf(yield* failed, JobStoreError)
      assert.deepStrictEqual(yield* list, [])
    }).pipe(Effect.provide(deployment))
  )

  it.effect("a deletion succeeds, and removes the job's file", () =>
    Effect.gen(function* () {
      const { list, principal } = yield* all()
      const { id } = yield* submit(principal, {})
      const remove = Effect.flatMap(Jobs, (jobs) => jobs.remove(principal, id))
      yield* Effect.provide(remove, services(1))
      assert.deepStrictEqual(yield* list, [])
      assert.deepStrictEqual(yield* stored, [])
    }).pipe(Effect.provide(deployment))
  )
})
