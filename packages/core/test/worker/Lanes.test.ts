/** Receivers that take their time, and the others. */
import { assert, describe, it } from "@effect/vitest"
import type { JobView } from "@verbatim/core/job/JobView"
import { laneMax } from "@verbatim/core/worker/Slots"
import { FakeWebhookSender } from "@verbatim/testkit/fakes/FakeWebhookSender"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { caller, deployment, look, pass as step, submit, workerOf } from "./world.ts"

/**
 * Moves the clock, with real time for what a claim asks of the platform: without it the queue would
 * be as slow as the test.
 */
const pass = (seconds: number) =>
  Effect.forEach(
    Array.from({ length: seconds }),
    () => Effect.andThen(step(1), TestClock.withLive(Effect.sleep(10))),
    { discard: true }
  )

const deliverMax = 6

const worker = workerOf({ Fetch: 1, Transcribe: 32, Summarize: 1, Deliver: deliverMax })

/** How many requests were under way at once, for all receivers and for each origin. */
const counted = Effect.gen(function* () {
  const receiver = yield* FakeWebhookSender
  const running = new Map<string, number>()
  const most = new Map<string, number>()
  const count = (name: string, by: number) => {
    const now = (running.get(name) ?? 0) + by
    running.set(name, now)
    most.set(name, Math.max(now, most.get(name) ?? 0))
  }
  yield* receiver.behave(({ url }) => {
    const names = [new URL(url).origin, "all"]
    const begin = Effect.sync(() => names.map((name) => count(name, 1)))
    const end = Effect.sync(() => names.map((name) => count(name, -1)))
    // Just before the sender would give it up.
    const answer = url.includes("slow") ? Effect.delay(Effect.succeed(200), "29 seconds") : null
    return Effect.acquireUseRelease(
      begin,
      () => answer ?? Effect.succeed(200),
      () => end
    )
  })
  return most
})

describe("Lanes", () => {
  it.effect("let a slow receiver hold up nobody but itself", () =>
    Effect.gen(function* () {
      const principal = yield* caller
      const most = yield* counted
      const hook = (host: string, path: number) => ({
        callback_url: `https://${host}.example.com/${path}`
      })
      const slow = yield* Effect.forEach(Array(16).keys(), (path) =>
        submit(principal, hook("slow", path))
      )
      yield* Layer.build(worker)
      yield* pass(1)
      const others = yield* Effect.forEach(Array(20).keys(), (path) =>
        submit(principal, hook(`other-${path % 5}`, path))
      )
      const statuses = (jobs: ReadonlyArray<JobView>) =>
        Effect.forEach(jobs, (job) => Effect.map(look(principal, job), ({ status }) => status))
      const areDelivered = Effect.map(statuses(others), (found) =>
        found.every((status) => status === "WEBHOOK_DELIVERED")
      )
      // A slow request takes 29 seconds: the others are done before the first of them is.
      for (let second = 0; second < 20 && !(yield* areDelivered); second += 1) yield* pass(1)
      assert.isTrue(yield* areDelivered)
      assert.notInclude(yield* statuses(slow), "WEBHOOK_DELIVERED")
      assert.strictEqual(most.get("https://slow.example.com"), laneMax)
      assert.isAtMost(most.get("all") ?? 0, deliverMax)
      // The slow one is served all the same: four at a time, each in half a minute.
      yield* pass(140)
      assert.deepStrictEqual(new Set(yield* statuses(slow)), new Set(["WEBHOOK_DELIVERED"]))
      assert.strictEqual(most.get("https://slow.example.com"), laneMax)
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )

  it.effect("share a limit for all receivers together", () =>
    Effect.gen(function* () {
      const principal = yield* caller
      const most = yield* counted
      yield* Layer.build(worker)
      yield* Effect.forEach(Array(24).keys(), (number) =>
        submit(principal, { callback_url: `https://slow-${number}.example.com/` })
      )
      yield* pass(20)
      assert.strictEqual(most.get("all"), deliverMax)
      assert.strictEqual(most.get("https://slow-0.example.com"), 1)
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )
})
