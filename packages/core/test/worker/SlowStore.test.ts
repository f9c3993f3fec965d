/** Tests for two bugs that the simulation found with seeds 34 and 46 of its first version. */
import { assert, describe, it } from "@effect/vitest"
import { calmScript, FakeWebhookSender } from "@verbatim/testkit/fakes"
import { Effect, Layer } from "effect"
import { JobStore } from "#src/ports/JobStore"
import { WorkQueue } from "#src/ports/WorkQueue"
import { callback, look, pass, script, submit, withCaller } from "../world/caller.ts"
import { delayFirst, replace } from "../world/ports.ts"
import { worker } from "../world/world.ts"

describe("A slow store", () => {
  it.effect("keeps webhooks 60 seconds apart even if claims return late", () =>
    withCaller(function* (principal) {
      const receiver = yield* FakeWebhookSender
      yield* receiver.behave(() => Effect.succeed(500))
      let claims = 0
      const late = replace(WorkQueue, (queue) => ({
        // Only the claim for the first delivery is late, and the second attempt waits from that
        // claim on.
        claim: (request) =>
          Effect.tap(queue.claim(request), ({ jobs }) => {
            claims += jobs.length
            return jobs.length > 0 && claims === 2 ? Effect.sleep("4 seconds") : Effect.void
          })
      }))
      yield* Layer.build(worker.pipe(Layer.provide(late)))
      yield* submit(principal, callback)
      yield* pass(80)
      const [first, second] = yield* receiver.received
      const gap = (second?.atMillis ?? 0) - (first?.atMillis ?? 0)
      assert.isAtLeast(gap, 60_000)
    })
  )

  it.effect("does not block a summary forever if a read of the transcript hangs", () =>
    withCaller(function* (principal) {
      yield* script(calmScript)
      const delay = delayFirst(Effect.never)
      const hanging = replace(JobStore, (store) => ({
        transcript: (id) => delay(store.transcript(id))
      }))
      yield* Layer.build(worker.pipe(Layer.provide(hanging)))
      const accepted = yield* submit(principal, { summary: "brief" })
      yield* pass(30)
      assert.strictEqual((yield* look(principal, accepted)).summary_status, "COMPLETED")
    })
  )
})
