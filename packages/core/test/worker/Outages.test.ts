/** An unreachable dependency makes no job fail and uses up no attempts. */
import { assert, describe, it } from "@effect/vitest"
import { calmScript } from "@verbatim/testkit/fakes"
import { Effect, Layer, Scope } from "effect"
import { Failure } from "#src/domain/attempt/Failure"
import { MediaStore, MediaStoreError } from "#src/ports/MediaStore"

import { TranscriberError } from "#src/ports/Transcriber"
import { WorkQueue } from "#src/ports/WorkQueue"
import { Jobs } from "#src/services/jobs/Jobs"
import { Worker } from "#src/worker/Worker"
import { caller, look, pass, script, stored, submit, withCaller } from "../world/caller.ts"
import { replace } from "../world/ports.ts"
import { deployment, worker, world } from "../world/world.ts"

const away = Failure.cases.EngineUnavailable.make({ detail: "503" })

const handIn = Effect.fnUntraced(function* (count: number, parameters = {}) {
  const principal = yield* caller
  const jobs = yield* Effect.forEach(Array(count), () => submit(principal, parameters))
  return { principal, jobs }
})

describe("An outage", () => {
  it.effect(
    "makes no job fail if the engine is unavailable, and only a few jobs try the engine",
    () =>
      Effect.gen(function* () {
        let calls = 0
        yield* script({
          transcribe: Effect.suspend(() => {
            calls += 1
            return new TranscriberError({ reason: away })
          })
        })
        const { jobs, principal } = yield* handIn(50)
        yield* pass(120)
        assert.lengthOf(yield* stored, 50)
        // Two jobs are tried at first, and then one job after each of 1, 2, 4, 8, 16, 32 and 60
        // seconds.
        assert.isAtMost(calls, 10)
        const { activity } = yield* Worker
        assert.deepInclude((yield* activity).outages[0], { dependency: "SpeechEngine" })
        yield* script({ transcribe: calmScript.transcribe })
        yield* pass(75)
        for (const job of jobs) {
          assert.strictEqual((yield* look(principal, job)).transcription_status, "COMPLETED")
        }
        assert.deepStrictEqual((yield* activity).outages, [])
      }).pipe(Effect.provide(world))
  )

  it.effect("makes no job fail if the media store or a file is unavailable for a while", () =>
    Effect.gen(function* () {
      let reason: MediaStoreError["reason"] | undefined = { _tag: "Unavailable", cause: "gone" }
      const sick = replace(MediaStore, (media) => ({
        open: (key) =>
          Effect.suspend(() =>
            reason === undefined
              ? media.open(key)
              : new MediaStoreError({ operation: "open", reason })
          )
      }))
      yield* Layer.build(worker.pipe(Layer.provide(sick)))
      const { jobs, principal } = yield* handIn(6)
      yield* pass(30)
      reason = { _tag: "Missing" }
      yield* pass(75)
      reason = undefined
      yield* pass(75)
      const service = yield* Jobs
      for (const job of jobs) {
        assert.strictEqual((yield* look(principal, job)).transcription_status, "COMPLETED")
        const { events } = yield* service.history(principal, job.id)
        assert.notInclude(
          events.map(({ event }) => event),
          "retry_scheduled"
        )
      }
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )

  it.effect("delays no webhook if the media store does not respond", () =>
    withCaller(function* (principal) {
      const media = yield* MediaStore
      let isSilent = false
      const claims: Array<number> = []
      const quiet = Layer.mergeAll(
        Layer.succeed(MediaStore, {
          ...media,
          marker: Effect.suspend(() => (isSilent ? Effect.never : media.marker))
        }),
        replace(WorkQueue, (queue) => ({
          claim: (request) =>
            Effect.suspend(() => {
              const kinds = Object.keys(request.kinds)
              if (isSilent && kinds.includes("Deliver")) claims.push(kinds.length)
              return queue.claim(request)
            })
        }))
      )
      const own = Layer.fresh(Layer.provide(worker, quiet))
      // The test never closes the scope, because a claim that waits for this store would delay
      // that.
      yield* Layer.buildWithScope(own, yield* Scope.make())
      yield* submit(principal, {})
      yield* pass(2)
      isSilent = true
      yield* pass(60)
      // The worker claims every quarter of a second, as usual.
      assert.isAtLeast(claims.length, 4 * 60)
      // Claims include only webhooks, summaries and occasional suspects, but no media work.
      assert.isAtMost(claims.at(-1) ?? 0, 3)
    })
  )
})
