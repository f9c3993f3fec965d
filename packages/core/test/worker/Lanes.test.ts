/** Lanes keep slow hosts from delaying other hosts. */
import { assert, describe, it } from "@effect/vitest"
import { calmScript, FakeMedia, FakeWebhookSender } from "@verbatim/testkit/fakes"
import { insertJob, jobId, makePendingJob, workspaceId } from "@verbatim/testkit/samples"
import { DateTime, Duration, Effect, Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { WorkKind } from "#src/domain/attempt/Work"
import type { JobView } from "#src/domain/job/JobView"
import { downloadLane, webhookLane } from "#src/domain/job/Lane"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { JobStore } from "#src/ports/JobStore"
import { Submissions } from "#src/services/intake/Submissions"
import { LaneConcurrency } from "#src/worker/Slots"
import { look, script, pass as step, submit, withCaller } from "../world/caller.ts"
import { workerOf } from "../world/world.ts"

/**
 * Advances the clock, and lets real time pass, because platform calls in a claim would otherwise
 * time out.
 */
const pass = (seconds: number) =>
  Effect.forEach(
    Array.from({ length: seconds }),
    () => Effect.andThen(step(1), TestClock.withLive(Effect.sleep(10))),
    { discard: true }
  )

/** Maximum number of slots for one workspace, which is half of all slots. */
const deliverMax = 6

/** The default number of tasks that a lane runs at a time. */
const laneConcurrency = LaneConcurrency.defaultValue()

const worker = workerOf({ Fetch: 12, Transcribe: 32, Summarize: 1, Deliver: 2 * deliverMax })

/** Counts the maximum number of concurrent requests, in total and by origin. */
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
    // The response arrives just before the sender would time out.
    const answer = url.includes("slow") ? Effect.delay(Effect.succeed(200), "29 seconds") : null
    return Effect.acquireUseRelease(
      begin,
      () => answer ?? Effect.succeed(200),
      () => end
    )
  })
  return most
})

/** Publishes a file that takes this long to download, and submits its URL. */
const fetched = Effect.fnUntraced(function* (
  principal: Principal,
  { takes, url }: { readonly url: string; readonly takes: Duration.Duration }
) {
  const media = yield* FakeMedia
  const submissions = yield* Submissions
  const unsaid = {
    hops: [],
    filename: Option.none(),
    contentType: Option.none(),
    byteLength: Option.none()
  }
  yield* media.publish(url, { ...unsaid, bytes: new Uint8Array(8), takes })
  return yield* submissions.submit(principal, {
    isTextual: false,
    parts: Stream.succeed({ _tag: "Parameter", name: "url", value: url })
  })
})

/** Inserts a job with this kind of pending work in another workspace. */
const neighbour = Effect.fnUntraced(function* (kind: WorkKind) {
  const job = makePendingJob(1, { kind, dueAt: yield* DateTime.now })
  yield* insertJob({ ...job, workspaceId: workspaceId(2) })
})

const hasBegun = Effect.flatMap(JobStore, (store) =>
  Effect.map(store.history(jobId(1)), (entries) => entries.length > 1)
)

describe("Lanes", () => {
  it("belong to an origin, however its URL is written", () => {
    const spellings = [
      "https://a.example.com/x",
      "HTTPS://A.example.com:443?y",
      `https://a.${"\u00ad".repeat(1_500)}example.com/`
    ]
    assert.deepStrictEqual(new Set(spellings.map(webhookLane)), new Set(["https://a.example.com"]))
    const others = ["http://a.example.com/", "https://a.example.com:8443/", "https://example.com/"]
    for (const other of others) assert.notStrictEqual(webhookLane(other), "https://a.example.com")
    const [url] = others
    assert.notStrictEqual(downloadLane(url ?? ""), webhookLane(url ?? ""))
  })

  it.effect("keep a host that sends slowly from delaying other downloads", () =>
    withCaller(function* (principal) {
      const hour = Duration.hours(1)
      const slow = yield* Effect.forEach(Array(12).keys(), (path) =>
        fetched(principal, { url: `https://slow.example.com/${path}.mp3`, takes: hour })
      )
      yield* Layer.build(worker)
      yield* pass(1)
      const other = yield* fetched(principal, {
        url: "https://other.example.com/a.mp3",
        takes: Duration.zero
      })
      const statuses = (jobs: ReadonlyArray<JobView>) =>
        Effect.forEach(jobs, (job) => Effect.map(look(principal, job), ({ status }) => status))
      for (let second = 0; second < 20; second += 1) {
        yield* pass(1)
        const [status] = yield* statuses([other])
        if (status === "COMPLETED") break
      }
      assert.deepStrictEqual(yield* statuses([other]), ["COMPLETED"])
      assert.deepStrictEqual(new Set(yield* statuses(slow)), new Set(["ACCEPTED"]))
    })
  )

  it.effect("keep a slow receiver from delaying other receivers", () =>
    withCaller(function* (principal) {
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
      // A slow request takes 29 seconds. All the others end before the first slow one does.
      for (let second = 0; second < 20 && !(yield* areDelivered); second += 1) yield* pass(1)
      assert.isTrue(yield* areDelivered)
      assert.notInclude(yield* statuses(slow), "WEBHOOK_DELIVERED")
      assert.strictEqual(most.get("https://slow.example.com"), laneConcurrency)
      assert.isAtMost(most.get("all") ?? 0, deliverMax)
      // The slow receiver still gets four requests at a time, each taking half a minute.
      yield* pass(140)
      assert.deepStrictEqual(new Set(yield* statuses(slow)), new Set(["WEBHOOK_DELIVERED"]))
      assert.strictEqual(most.get("https://slow.example.com"), laneConcurrency)
    })
  )

  it.effect("run as many concurrent tasks as the operator configured", () =>
    withCaller(function* (principal) {
      const most = yield* counted
      yield* Layer.build(Layer.fresh(worker).pipe(Layer.provide(Layer.succeed(LaneConcurrency, 2))))
      yield* Effect.forEach(Array(8).keys(), (path) =>
        submit(principal, { callback_url: `https://slow.example.com/${path}` })
      )
      yield* pass(20)
      assert.strictEqual(most.get("https://slow.example.com"), 2)
    })
  )

  it.effect("keep one workspace's silent hosts from delaying another workspace's webhooks", () =>
    withCaller(function* (principal) {
      const most = yield* counted
      yield* Layer.build(worker)
      yield* Effect.forEach(Array(192).keys(), (number) =>
        submit(principal, { callback_url: `https://slow-${number % 16}.example.com/` })
      )
      yield* pass(10)
      assert.strictEqual(most.get("all"), deliverMax)
      yield* neighbour("Deliver")
      yield* pass(1)
      assert.isTrue(yield* hasBegun)
    })
  )

  it.effect(
    "give an engine's next slot to another workspace, however many jobs the first one has",
    () =>
      withCaller(function* (principal) {
        yield* script({ transcribe: Effect.delay(calmScript.transcribe, "3 seconds") })
        yield* Effect.forEach(Array(192).keys(), () => submit(principal, {}))
        // There is only one slot. The first workspace's jobs would otherwise occupy it for ten
        // minutes.
        yield* Layer.build(workerOf({ Fetch: 1, Transcribe: 1, Summarize: 1, Deliver: 1 }))
        yield* pass(4)
        yield* neighbour("Transcribe")
        assert.isFalse(yield* hasBegun)
        yield* pass(4)
        assert.isTrue(yield* hasBegun)
      })
  )
})
