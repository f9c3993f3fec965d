/**
 * Tests that a body that cannot be built affects only its own webhook, and that a defect causes no
 * endless loop.
 */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { JobStore } from "#src/ports/JobStore"
import { WorkQueue } from "#src/ports/WorkQueue"
import { WorkspaceStore } from "#src/ports/WorkspaceStore"
import { Worker } from "#src/worker/Worker"
import { callback, look, pass, received, submit, withCaller } from "../../world/caller.ts"
import { replace } from "../../world/ports.ts"
import { worker } from "../../world/world.ts"

describe("The preparation of a webhook", () => {
  it.effect("does not block other webhooks when it fails", () =>
    withCaller(function* (principal) {
      const broken = new Set<string>()
      const damaged = replace(JobStore, (store) => ({
        transcript: (id) =>
          broken.has(id) ? Effect.die("the row is damaged") : store.transcript(id)
      }))
      const context = yield* Layer.build(worker.pipe(Layer.provide(damaged)))
      const bad = yield* submit(principal, callback)
      broken.add(bad.id)
      const good = yield* Effect.forEach(Array(5), () => submit(principal, callback))
      yield* pass(10)
      for (const job of good) {
        assert.strictEqual((yield* look(principal, job)).status, "WEBHOOK_DELIVERED")
      }
      assert.deepStrictEqual(
        yield* Context.get(context, Worker).activity.pipe(Effect.map(({ outages }) => outages)),
        []
      )
      // The webhook without a body uses up its attempts and fails.
      yield* pass(180)
      assert.strictEqual((yield* look(principal, bad)).status, "WEBHOOK_FAILED")
      assert.lengthOf(yield* received, good.length)
    })
  )

  it.effect("is tried once per lease if it dies with a defect", () =>
    withCaller(function* (principal) {
      let deaths = 0
      let isBroken = true
      let releases = 0
      const defective = Layer.mergeAll(
        replace(WorkspaceStore, (workspaces) => ({
          account: (id) =>
            Effect.suspend(() => {
              if (!isBroken) return workspaces.account(id)
              deaths += 1
              return Effect.die("a defect")
            })
        })),
        replace(WorkQueue, (queue) => ({
          release: (leases) => {
            releases += 1
            return queue.release(leases)
          }
        }))
      )
      yield* Layer.build(worker.pipe(Layer.provide(defective)))
      const job = yield* submit(principal, callback)
      yield* pass(100)
      // The preparation dies at 0, 30, 60 and 90 seconds: at the start, and whenever the lease has
      // lapsed.
      assert.strictEqual(deaths, 4)
      assert.strictEqual(releases, 0)
      isBroken = false
      yield* pass(30)
      assert.strictEqual((yield* look(principal, job)).status, "WEBHOOK_DELIVERED")
    })
  )
})
