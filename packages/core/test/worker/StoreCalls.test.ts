/** Counts a worker's store calls for one job, because they are most of the job's cost. */
import { assert, describe, it } from "@effect/vitest"
import { type Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { CorrectionStore } from "#src/ports/CorrectionStore"
import { JobStore } from "#src/ports/JobStore"
import { WorkspaceStore } from "#src/ports/WorkspaceStore"
import { callback, caller, look, pass, submit } from "../world/caller.ts"
import { countClaims } from "../world/ports.ts"
import { deployment, worker } from "../world/world.ts"

/** A port that counts the calls to each of its methods. */
const counted = <Port, Service extends object>(
  port: Context.Service<Port, Service>,
  calls: Map<string, number>
) =>
  Layer.effect(
    port,
    Effect.map(
      port,
      (service) =>
        new Proxy(service, {
          get: (target, key) => {
            const member: unknown = Reflect.get(target, key)
            if (typeof member !== "function" || Effect.isEffect(member)) return member
            return (...given: ReadonlyArray<unknown>) => {
              calls.set(String(key), (calls.get(String(key)) ?? 0) + 1)
              return Reflect.apply(member, target, given)
            }
          }
        })
    )
  )

describe("A worker", () => {
  it.effect("makes eight store calls for a job with a webhook", () =>
    Effect.gen(function* () {
      const calls = new Map<string, number>()
      const ports = Layer.mergeAll(
        counted(CorrectionStore, calls),
        counted(JobStore, calls),
        counted(WorkspaceStore, calls)
      )
      const principal = yield* caller
      yield* Layer.build(worker.pipe(Layer.provide(ports)))
      const job = yield* submit(principal, callback)
      yield* pass(10)
      assert.strictEqual((yield* look(principal, job)).status, "WEBHOOK_DELIVERED")
      assert.deepStrictEqual(Object.fromEntries(calls), {
        account: 1,
        commit: 4,
        current: 1,
        transcript: 1,
        webhookSecrets: 1
      })
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )
})

describe("An idle worker", () => {
  it.effect("claims every 250 ms", () =>
    Effect.gen(function* () {
      const { claims, layer } = yield* countClaims
      yield* Layer.build(worker.pipe(Layer.provide(layer)))
      yield* TestClock.adjust("1 millis")
      for (let looks = 1; looks <= 40; looks += 1) {
        assert.strictEqual(claims(), looks)
        yield* TestClock.adjust("250 millis")
      }
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )
})
