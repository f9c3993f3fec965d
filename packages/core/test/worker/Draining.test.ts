/** A stopping process claims no work, however long its other parts take to stop. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { MediaStore } from "#src/ports/MediaStore"
import { WorkQueue } from "#src/ports/WorkQueue"
import { drainFirst } from "#src/worker/Worker"
import { look, pass, script, submit, withCaller } from "../world/caller.ts"
import { countClaims, replace } from "../world/ports.ts"
import { deployment, worker } from "../world/world.ts"

/** A part of the process that takes long to stop, like an HTTP server with slow clients. */
const slow = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sleep("5 seconds")))

/** Starts a process with a worker and other parts, and counts the worker's claims. */
const stopping = Effect.fnUntraced(function* (above: Layer.Layer<never>) {
  const { claims, layer } = yield* countClaims
  const scope = yield* Scope.make()
  const parts = above.pipe(Layer.provideMerge(worker.pipe(Layer.provide(layer))))
  yield* Layer.buildWithScope(parts, scope)
  yield* pass(2)
  const before = claims()
  assert.isAbove(before, 0)
  return {
    since: () => claims() - before,
    close: Effect.forkDetach(Scope.close(scope, Exit.void))
  }
})

// In another project, a draining process claimed work again: dbos-transact-py #742, #804 and #546.
describe("A stopping process", () => {
  it.effect("claims no work while its other parts stop", () =>
    withCaller(function* (principal) {
      const { close, since } = yield* stopping(drainFirst.pipe(Layer.provideMerge(slow)))
      const closing = yield* close
      const late = yield* submit(principal, {})
      yield* pass(4)
      assert.isUndefined(closing.pollUnsafe())
      assert.strictEqual(since(), 0)
      yield* pass(2)
      assert.isDefined(closing.pollUnsafe())
      assert.strictEqual((yield* look(principal, late)).transcription_status, "IN_QUEUE")
    })
  )

  it.effect("claims no work during or after an attempt that takes seconds to stop", () =>
    withCaller(function* (principal) {
      yield* script({
        transcribe: Effect.never.pipe(Effect.onInterrupt(() => Effect.sleep("4 seconds")))
      })
      const { close, since } = yield* stopping(Layer.empty)
      const running = yield* submit(principal, {})
      yield* pass(1)
      assert.strictEqual((yield* look(principal, running)).transcription_status, "IN_PROGRESS")
      const claimed = since()
      yield* close
      yield* submit(principal, {})
      yield* pass(10)
      assert.strictEqual(since(), claimed)
      assert.strictEqual((yield* look(principal, running)).transcription_status, "IN_QUEUE")
    })
  )

  // The simulation found this bug with seed 109.
  it.effect("claims no work after it has waited for the media store", () =>
    Effect.gen(function* () {
      let claims = 0
      const ports = Layer.mergeAll(
        replace(MediaStore, (media) => ({ marker: Effect.delay(media.marker, "2 seconds") })),
        replace(WorkQueue, (queue) => ({
          claim: (request) =>
            Effect.suspend(() => {
              claims += 1
              return queue.claim(request)
            })
        }))
      )
      const own = Layer.fresh(Layer.provide(worker, ports))
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(own, scope)
      yield* pass(1)
      const closing = yield* Effect.forkDetach(Scope.close(scope, Exit.void))
      yield* pass(5)
      assert.isDefined(closing.pollUnsafe())
      assert.strictEqual(claims, 0)
    }).pipe(Effect.provide(deployment))
  )
})
