import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { JobStore } from "#src/ports/JobStore"
import { WorkspaceStore } from "#src/ports/WorkspaceStore"
import { Jobs } from "#src/services/jobs/Jobs"
import { callback, look, pass, received, submit, withCaller } from "../../world/caller.ts"
import { delayFirst, replace } from "../../world/ports.ts"
import { worker } from "../../world/world.ts"

/** A job store in which the first read of a transcript takes this long. */
const slow = (wait: Effect.Effect<void>) =>
  replace(JobStore, (store) => {
    const delay = delayFirst(wait)
    return { transcript: (id) => delay(store.transcript(id)) }
  })

/** A workspace store in which the first read of secrets takes this long. */
const slowSecrets = (wait: Effect.Effect<void>) =>
  replace(WorkspaceStore, (store) => {
    const delay = delayFirst(wait)
    return { webhookSecrets: (id) => delay(store.webhookSecrets(id)) }
  })

const late = Effect.sleep("29 seconds")

/** Delivers a webhook with a slow store, and returns the time left for the receiver. */
const deliverBehind = Effect.fnUntraced(function* <Store, R>(
  principal: Principal,
  store: Layer.Layer<Store, never, R>
) {
  yield* Layer.build(worker.pipe(Layer.provide(store)))
  const accepted = yield* submit(principal, callback)
  yield* pass(31)
  const [post] = yield* received
  if (post === undefined) return assert.fail("nothing was sent")
  return { accepted, timeout: Duration.toMillis(post.timeout) }
})

describe("Deliveries", () => {
  it.effect("begin an attempt only after the webhook's body is built", () =>
    withCaller(function* (principal) {
      const { accepted, timeout } = yield* deliverBehind(principal, slow(late))
      assert.isAtLeast(timeout, 29_000)
      assert.strictEqual((yield* look(principal, accepted)).status, "WEBHOOK_DELIVERED")
    })
  )

  it.effect("leave the receiver less time if the store is slow", () =>
    withCaller(function* (principal) {
      const { accepted, timeout } = yield* deliverBehind(principal, slowSecrets(late))
      assert.isAtMost(timeout, 1_000)
      assert.strictEqual((yield* look(principal, accepted)).status, "WEBHOOK_DELIVERED")
    })
  )

  it.effect("send nothing 30 seconds after an attempt began, and do not count that attempt", () =>
    withCaller(function* (principal) {
      yield* Layer.build(worker.pipe(Layer.provide(slowSecrets(Effect.never))))
      const accepted = yield* submit(principal, callback)
      yield* pass(30)
      assert.strictEqual((yield* received).length, 0)
      yield* pass(3)
      assert.strictEqual((yield* received).length, 1)
      assert.strictEqual((yield* look(principal, accepted)).status, "WEBHOOK_DELIVERED")
      const jobs = yield* Jobs
      const { webhook_attempts } = yield* jobs.history(principal, accepted.id)
      assert.deepStrictEqual(
        webhook_attempts.map(({ attempt }) => attempt),
        [1]
      )
      const [post] = yield* received
      const sent = new TextEncoder().encode(post?.body)
      assert.strictEqual(webhook_attempts[0]?.bytes, sent.length)
    })
  )
})
