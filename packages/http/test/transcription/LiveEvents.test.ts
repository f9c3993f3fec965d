/** Tests live events over real HTTP. */
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { JobId } from "@verbatim/core/attempt"
import type { Job } from "@verbatim/core/job"
import { JobStore, WorkQueue } from "@verbatim/core/ports"
import { EventStreams, type SubscriberLimits } from "@verbatim/core/services"
import {
  attemptReleased,
  attemptStarted,
  claimIds,
  commitJob,
  leaseToken,
  transcript,
  transcriptProduced
} from "@verbatim/testkit/samples"
import { Effect, Fiber, Layer, Option, Queue, type Scope } from "effect"
import { Deployment, keys, layer } from "../Deployment.ts"

/** A block of an event stream, which ends with an empty line. */
interface Block {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: unknown
}

interface OpenStream {
  readonly status: number
  readonly headers: Headers
  /** Returns the next event and skips comments. Returns undefined at the end of the stream. */
  readonly next: Effect.Effect<Block | undefined>
  readonly leave: Effect.Effect<void>
}

interface ListenOptions {
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

const fieldOf = (block: string, name: string): string | undefined =>
  block
    .split("\n")
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2)

/** Parses a block. Returns undefined for a comment or a reconnection delay. */
const toBlock = (text: string): Block | undefined => {
  const [id, event, data] = [fieldOf(text, "id"), fieldOf(text, "event"), fieldOf(text, "data")]
  return event === undefined
    ? undefined
    : { id, event, data: data === undefined ? undefined : JSON.parse(data) }
}

const read = async (body: ReadableStream<Uint8Array>, put: (block: Block) => void) => {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const piece of body) {
    rest += decoder.decode(piece, { stream: true })
    const blocks = rest.split("\n\n")
    rest = blocks.pop() ?? ""
    for (const text of blocks) {
      const block = toBlock(text)
      if (block !== undefined) put(block)
    }
  }
}

/** Subscribes until the scope ends or the subscriber leaves. */
const listen = Effect.fnUntraced(function* (
  path: string,
  { headers = {}, key }: ListenOptions
): Effect.fn.Return<OpenStream, never, Deployment | Scope.Scope> {
  const { port } = yield* Deployment
  const controller = new AbortController()
  const blocks = yield* Queue.unbounded<Block | undefined>()
  yield* Effect.addFinalizer(() => Effect.sync(() => controller.abort()))
  const response = yield* Effect.promise(() =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
      signal: controller.signal
    })
  )
  const { body } = response
  if (body !== null) {
    const end = () => void Queue.offerUnsafe(blocks, undefined)
    read(body, (block) => void Queue.offerUnsafe(blocks, block)).then(end, end)
  }
  return {
    status: response.status,
    headers: response.headers,
    next: Queue.take(blocks),
    leave: Effect.sync(() => controller.abort())
  }
})

const key = keys.inference

const deployment = (limits?: SubscriberLimits) =>
  layer(limits === undefined ? {} : { listenerLimits: limits }).pipe(
    Layer.provide(NodeServices.layer)
  )

/** Submits a recording, and finds its job. */
const submit = Effect.gen(function* () {
  const { call } = yield* Deployment
  const form = new FormData()
  form.append("file", new File([new Uint8Array(8)], "a.wav"))
  const { text } = yield* call("/v1/transcribe", { key, body: form })
  return yield* found(JSON.parse(text).id)
})

const found = Effect.fnUntraced(function* (id: string) {
  const store = yield* JobStore
  const present = yield* store.present([JobId.make(id)])
  return yield* Effect.fromOption(
    Option.flatten(Option.fromUndefinedOr(present.get(JobId.make(id))))
  )
})

const twice = Effect.fnUntraced(function* (job: Job) {
  const started = yield* commitJob(job, { events: [attemptStarted()] })
  return yield* commitJob(started, { events: [attemptReleased()] })
})

const end = Effect.fnUntraced(function* (job: Job) {
  const started = yield* commitJob(job, { events: [attemptStarted()] })
  return yield* commitJob(started, { events: [transcriptProduced()], transcript })
})

const take = (stream: OpenStream, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => stream.next)

const jobOf = (block: Block | undefined): unknown =>
  (block?.data as { readonly id?: unknown } | undefined)?.id

const eventsOf = (job: Job) => `/v1/transcriptions/${job.id}/events`

describe("a job's events", () => {
  it.live("include past events, new events and the end of the job", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment
      const job = yield* Effect.flatMap(submit, twice)
      const stream = yield* listen(eventsOf(job), { key })
      assert.strictEqual(stream.status, 200)
      assert.strictEqual(stream.headers.get("content-type"), "text/event-stream")
      assert.strictEqual(stream.headers.get("cache-control"), "no-store")
      const first = yield* take(stream, 3)
      yield* end(job)
      const rest = yield* take(stream, 4)
      const all = [...first, ...rest]
      assert.deepStrictEqual(
        all.map((block) => [block?.id, block?.event]),
        [
          ...[1, 2, 3, 4, 5].map((revision) => [`${revision}.0`, "event"]),
          ["5.end", "end"],
          [undefined, undefined]
        ]
      )
      const history = yield* call(`/v1/transcriptions/${job.id}/history`, { key })
      assert.deepStrictEqual(
        all.slice(0, 5).map((block) => block?.data),
        JSON.parse(history.text).events.map((event: object) => ({ id: job.id, ...event }))
      )
    }).pipe(Effect.scoped, Effect.provide(deployment()))
  )

  it.live("resume after the last received event, named by a header or the query", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment
      const job = yield* Effect.flatMap(Effect.flatMap(submit, twice), end)
      const byHeader = yield* listen(eventsOf(job), { key, headers: { "last-event-id": "3.0" } })
      assert.deepStrictEqual(
        (yield* take(byHeader, 4)).map((block) => block?.id),
        ["4.0", "5.0", "5.end", undefined]
      )
      const byQuery = yield* listen(`${eventsOf(job)}?last_event_id=5.0`, { key })
      assert.deepStrictEqual(
        (yield* take(byQuery, 2)).map((block) => block?.id),
        ["5.end", undefined]
      )
      const over = yield* call(eventsOf(job), { key, headers: { "last-event-id": "5.end" } })
      assert.strictEqual(over.status, 204)
    }).pipe(Effect.scoped, Effect.provide(deployment()))
  )

  it.live("end when the job is deleted", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment
      const job = yield* submit
      const stream = yield* listen(eventsOf(job), { key })
      yield* take(stream, 1)
      yield* call(`/v1/transcriptions/${job.id}`, { key, method: "DELETE" })
      assert.deepStrictEqual(
        (yield* take(stream, 2)).map((block) => block?.event),
        ["deleted", undefined]
      )
    }).pipe(Effect.scoped, Effect.provide(deployment()))
  )

  it.live("are refused for an invalid cursor, an unknown job or a missing key", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment
      const job = yield* submit
      for (const place of [
        "x",
        "1",
        "1.0.0",
        "-1.0",
        "1.x",
        "w1.1",
        "1.0 ",
        "\u0661.0",
        "9".repeat(99)
      ]) {
        const headers = { "last-event-id": encodeURI(place) }
        const refused = yield* call(eventsOf(job), { key, headers })
        assert.strictEqual(refused.status, 400, place)
        assert.include(refused.text, "Last-Event-ID")
        const all = yield* call("/v1/transcriptions/events", {
          key,
          headers: { "last-event-id": place === "w1.1" ? "w1.x" : encodeURI(place) }
        })
        assert.strictEqual(all.status, 400, place)
      }
      assert.strictEqual((yield* call(eventsOf(job))).status, 403)
      const unknown = yield* call(`/v1/transcriptions/${crypto.randomUUID()}/events`, { key })
      assert.strictEqual(unknown.status, 404)
    }).pipe(Effect.scoped, Effect.provide(deployment()))
  )
})

describe("a workspace's events", () => {
  it.live("contain the events of all jobs in the workspace, from now on or after a cursor", () =>
    Effect.gen(function* () {
      const stream = yield* listen("/v1/transcriptions/events", { key })
      const job = yield* Effect.flatMap(submit, twice)
      const other = yield* submit
      const received = yield* take(stream, 4)
      assert.deepStrictEqual(received.map(jobOf), [job.id, job.id, job.id, other.id])
      const again = yield* listen("/v1/transcriptions/events", {
        key,
        headers: { "last-event-id": received[1]?.id ?? "" }
      })
      assert.deepStrictEqual(
        (yield* take(again, 2)).map((block) => block?.id),
        received.slice(2).map((block) => block?.id)
      )
    }).pipe(Effect.scoped, Effect.provide(deployment()))
  )

  it.live("contain the progress of all jobs, and each deletion only once", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment
      const queue = yield* WorkQueue
      const stream = yield* listen("/v1/transcriptions/events", { key })
      const job = yield* submit
      const token = leaseToken(1)
      yield* claimIds(token)
      yield* commitJob(job, { events: [attemptStarted()], token, isLeaseKept: true })
      yield* take(stream, 2)
      yield* queue.renew([{ jobId: job.id, token, progress: 0.25 }])
      assert.deepStrictEqual(yield* stream.next, {
        id: undefined,
        event: "progress",
        data: { id: job.id, progress: 0.25 }
      })
      yield* call(`/v1/transcriptions/${job.id}`, { key, method: "DELETE" })
      const deleted = yield* stream.next
      assert.deepStrictEqual([deleted?.event, deleted?.data], ["deleted", { id: job.id }])
      assert.match(deleted?.id ?? "", /^w/)
      const again = yield* listen("/v1/transcriptions/events", {
        key,
        headers: { "last-event-id": deleted?.id ?? "" }
      })
      const other = yield* submit
      for (const each of [stream, again]) assert.strictEqual(jobOf(yield* each.next), other.id)
    }).pipe(Effect.scoped, Effect.provide(deployment()))
  )
})

describe("subscriber limits", () => {
  it.live("refuse subscribers above the limit, and admit a new one when another has left", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment
      const { count } = yield* EventStreams
      const first = yield* listen("/v1/transcriptions/events", { key })
      yield* listen("/v1/transcriptions/events", { key })
      const refused = yield* call("/v1/transcriptions/events", { key })
      assert.strictEqual(refused.status, 429)
      assert.isNotNull(refused.headers.get("retry-after"))
      assert.include(refused.text, "of the key")
      yield* first.leave
      yield* Effect.repeat(Effect.delay(count, "10 millis"), { until: (left) => left === 1 })
      const again = yield* listen("/v1/transcriptions/events", { key })
      assert.strictEqual(again.status, 200)
    }).pipe(Effect.scoped, Effect.provide(deployment({ all: 9, workspace: 9, key: 2 })))
  )
})

describe("a process at its subscriber limit", () => {
  it.live("refuses subscribers with 503, so that they can try another process", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment
      yield* listen("/v1/transcriptions/events", { key })
      const refused = yield* call("/v1/transcriptions/events", { key })
      assert.strictEqual(refused.status, 503)
      assert.isNotNull(refused.headers.get("retry-after"))
      assert.deepStrictEqual(JSON.parse(refused.text), { detail: "Too many subscribers" })
    }).pipe(Effect.scoped, Effect.provide(deployment({ all: 1, workspace: 9, key: 9 })))
  )
})

describe("waiting for a status", () => {
  it.live("ends when the status changes or the requested time has passed", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment
      const job = yield* submit
      const waiting = yield* Effect.forkScoped(call(`/v1/status/${job.id}?wait=60`, { key }))
      const brief = yield* call(`/v1/status/${job.id}?wait=1`, { key })
      assert.strictEqual(JSON.parse(brief.text).status, "IN_QUEUE")
      yield* commitJob(job, { events: [attemptStarted()] })
      const { text } = yield* Fiber.join(waiting)
      assert.strictEqual(JSON.parse(text).status, "IN_PROGRESS")
    }).pipe(Effect.scoped, Effect.provide(deployment()))
  )

  it.live("ends immediately for an ended job, and is refused for an invalid time", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment
      const job = yield* Effect.flatMap(submit, end)
      const done = yield* call(`/v1/status/${job.id}?wait=60`, { key })
      assert.strictEqual(JSON.parse(done.text).status, "COMPLETED")
      for (const wait of ["61", "-1", "1.5", "x", "", "1&wait=2", "1e1"]) {
        const refused = yield* call(`/v1/status/${job.id}?wait=${wait}`, { key })
        assert.strictEqual(refused.status, 400, wait)
        assert.include(refused.text, "'wait'")
      }
    }).pipe(Effect.scoped, Effect.provide(deployment()))
  )
})
