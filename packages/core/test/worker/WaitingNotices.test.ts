/** Tests jobs with a pending notice while no process with a listener is running. */
import { assert, describe, it } from "@effect/vitest"
import { calmScript } from "@verbatim/testkit/fakes"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { collecting, retain, work } from "../services/retention/OldJobs.ts"
import { look, pass, script, submit, undecodable, using } from "../world/caller.ts"
import { listening, stored, withHost } from "./Hosts.ts"

describe("A job with a notice that waits for its host", () => {
  it.effect("is kept until the notice has been sent, whatever the retention rule", () =>
    withHost(function* (principal) {
      yield* retain(principal, { mediaDays: 1, transcriptDays: 1, jobDays: 1 })
      const job = yield* submit(principal, {})
      yield* work
      yield* collecting
      yield* TestClock.adjust("40 days")
      const { keeping, notice } = yield* stored(principal, job)
      assert.strictEqual(notice?._tag, "Waiting")
      assert.isUndefined(keeping)
      const view = yield* look(principal, job)
      assert.strictEqual(view.transcription_status, "COMPLETED")
      const host = listening(() => Effect.void)
      yield* Effect.scoped(Effect.andThen(Layer.build(host.worker), pass(5)))
      assert.lengthOf(host.calls, 1)
      yield* TestClock.adjust("3 days")
      const gone = yield* Effect.flip(look(principal, job))
      assert.strictEqual(gone._tag, "RequestNotFound")
    })
  )

  it.effect("can be retried after a failure, and then sends only one notice", () =>
    withHost(function* (principal) {
      yield* script({ decode: undecodable })
      const job = yield* submit(principal, {})
      yield* work
      const first = yield* stored(principal, job)
      yield* script({ decode: calmScript.decode })
      yield* using((jobs) => jobs.retry(principal, job.id))
      const second = yield* stored(principal, job)
      assert.notStrictEqual(second.notice?.id, first.notice?.id)
      const host = listening(() => Effect.void)
      yield* Layer.build(host.worker)
      yield* pass(10)
      assert.deepStrictEqual(
        host.calls.map(({ id, job: { transcription } }) => [id, transcription._tag]),
        [[second.notice?.id, "Transcribed"]]
      )
    })
  )
})
