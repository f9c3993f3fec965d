/**
 * A whole worker among receivers that misbehave, all at once: the real core, sender and sockets,
 * with the limits of production under a test clock. Whatever a receiver does, it gets at most three
 * attempts, at least 60 seconds apart, and everybody else is served.
 */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { NodeCrypto } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@verbatim/adapters/memory"
import { GuardedWebhookSender } from "@verbatim/adapters/net"
import { Deliveries } from "@verbatim/core/delivery/Deliveries"
import { Jobs } from "@verbatim/core/job/Jobs"
import { OutboundPolicy } from "@verbatim/core/outbound/OutboundPolicy"
import { WebhookSender } from "@verbatim/core/ports/WebhookSender"
import { Summaries } from "@verbatim/core/summary/Summaries"
import { Transcriptions } from "@verbatim/core/transcription/Transcriptions"
import { Uploads } from "@verbatim/core/transcription/Uploads"
import { Assignments } from "@verbatim/core/worker/Assignments"
import { Attempts } from "@verbatim/core/worker/Attempts"
import { Commits } from "@verbatim/core/worker/Commits"
import { Leases } from "@verbatim/core/worker/Leases"
import { Worker } from "@verbatim/core/worker/Worker"
import type { Principal } from "@verbatim/core/workspace/Principal"
import { Workspaces } from "@verbatim/core/workspace/Workspaces"
import { FakeEngines } from "@verbatim/testkit/fakes/FakeEngines"
import { FakeMedia } from "@verbatim/testkit/fakes/FakeMedia"
import { Clock, Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { allow } from "./Fetching.ts"
import { isAsTold, receivers, urlOf } from "./HostileReceivers.ts"
import { clientSockets, type LoopbackServer, listen, says } from "./LoopbackServer.ts"
import type { Receiver } from "./Misbehaviour.ts"

const allowNetworks = allow("127.0.0.0/8")

/** One request that the worker sent: when it began and ended, and with what. */
interface Attempt {
  readonly url: string
  readonly id: string | undefined
  readonly body: string
  readonly beganAt: number
  endedAt: number
  said: number | string | undefined
}

/** The real sender, watched. */
const watched = (attempts: Array<Attempt>) =>
  Layer.effect(
    WebhookSender,
    Effect.map(WebhookSender, (sender) =>
      WebhookSender.of({
        post: Effect.fnUntraced(function* (request) {
          const attempt: Attempt = {
            url: request.url,
            id: request.headers["webhook-id"],
            body: request.body,
            beganAt: yield* Clock.currentTimeMillis,
            endedAt: Number.POSITIVE_INFINITY,
            said: undefined
          }
          attempts.push(attempt)
          const end = (said: number | string) =>
            Effect.map(Clock.currentTimeMillis, (millis) => {
              attempt.endedAt = millis
              attempt.said = said
            })
          return yield* sender.post(request).pipe(
            Effect.tap(end),
            Effect.tapError(({ detail }) => end(detail))
          )
        })
      })
    )
  ).pipe(Layer.provide(GuardedWebhookSender.layer({ allowNetworks })))

const outside = (attempts: Array<Attempt>) =>
  Layer.mergeAll(
    Memory.layer,
    FakeEngines.layer,
    FakeMedia.layer,
    watched(attempts),
    NodeCrypto.layerSecureRandom,
    NodeCrypto.layerDigest,
    NodeCrypto.layerMac
  )

// More deliveries at once than there are receivers: none waits for another.
const worker = Worker.layer({ Fetch: 1, Transcribe: 16, Summarize: 1, Deliver: 256 }).pipe(
  Layer.provide(Attempts.layer),
  Layer.provide(Layer.mergeAll(Assignments.layer, Commits.layer, Leases.layer)),
  Layer.provide(Layer.mergeAll(Deliveries.layer, Summaries.layer, Transcriptions.layer))
)

const deployment = (attempts: Array<Attempt>) =>
  Layer.merge(worker, Jobs.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(Uploads.layer, Workspaces.layer)),
    Layer.provide(Layer.succeed(OutboundPolicy, { allowNetworks })),
    Layer.provide(outside(attempts))
  )

const caller = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  yield* workspaces.found({ keys: [], minutes: 600 })
  const [account] = yield* workspaces.accounts
  const { firstUserId, id } = (account ?? assert.fail("no workspace")).workspace
  return { kind: "inference" as const, workspaceId: id, userId: firstUserId }
})

const submit = Effect.fnUntraced(function* (principal: Principal, url: string) {
  const jobs = yield* Jobs
  const content = Stream.succeed(new Uint8Array(8))
  const { id } = yield* jobs.submit(principal, {
    isTextual: false,
    parts: Stream.fromArray([
      { _tag: "Parameter" as const, name: "callback_url", value: url },
      { _tag: "File" as const, name: "file", filename: "a.wav", content }
    ])
  })
  return id
})

/** A receiver that listens, with the job that reports to it. */
interface Meeting {
  readonly receiver: Receiver
  readonly server: LoopbackServer
  readonly url: string
  readonly id: string
}

/** So many milliseconds of real time, for sockets. */
const really = (millis: number) => TestClock.withLive(Effect.sleep(millis))

/** Real time that a busy machine may need for what happens at once. */
const settledWithin = 10_000

/**
 * Moves the test clock in small steps. It stands still while an attempt is under way that needs no
 * time limit to end, because sockets live in real time.
 */
const pass = Effect.fnUntraced(function* (
  seconds: number,
  { attempts, waiting }: { attempts: ReadonlyArray<Attempt>; waiting: ReadonlySet<string> }
) {
  let begun = attempts.length
  for (let step = 0; step < seconds * 4; step += 1) {
    yield* TestClock.adjust("250 millis")
    yield* really(0)
    if (attempts.length > begun) yield* really(250)
    begun = attempts.length
    const isBusy = () => attempts.some(({ said, url }) => said === undefined && !waiting.has(url))
    for (let millis = 0; isBusy() && millis < settledWithin; millis += 5) yield* really(5)
  }
})

const judge = ({ id, receiver, server, url }: Meeting, all: ReadonlyArray<Attempt>) => {
  const name = `a receiver that ${receiver.does}`
  const attempts = all.filter((attempt) => attempt.url === url)
  for (const { said = "nothing" } of attempts) {
    assert.isTrue(isAsTold(receiver, said), `${name}: ${said}`)
  }
  const isAccepted = attempts.some(({ said }) => typeof said === "number" && said < 300)
  assert.strictEqual(attempts.length, isAccepted ? 1 : 3, name)
  assert.isAtMost(server.connections(), attempts.length, name)
  assert.strictEqual(new Set(attempts.map(({ body }) => body)).size, 1, name)
  assert.strictEqual(new Set(attempts.map(({ id }) => id)).size, 1, name)
  for (const [index, { beganAt, endedAt }] of attempts.entries()) {
    assert.isAtMost(endedAt - beganAt, 30_000, name)
    const before = attempts[index - 1]
    if (before !== undefined) assert.isAtLeast(beganAt - before.endedAt, 60_000, name)
  }
  return { id, status: isAccepted ? "WEBHOOK_DELIVERED" : "WEBHOOK_FAILED", name }
}

/** Garbage of the preparations would hide what the deliveries take. */
const sweep = (): void => {
  setFlagsFromString("--expose-gc")
  runInNewContext("gc")()
}

const bytesInUse = (): number => {
  const { external, heapUsed } = process.memoryUsage()
  return external + heapUsed
}

const megabyte = 1_048_576

describe("A worker among hostile receivers", () => {
  const attempts: Array<Attempt> = []

  it.effect(
    "gives each at most three attempts, 60 seconds apart, and stays well",
    () =>
      Effect.gen(function* () {
        const principal = yield* caller
        const jobs = yield* Jobs
        const sockets = yield* clientSockets
        const meetings = yield* Effect.forEach(
          receivers,
          Effect.fnUntraced(function* (receiver) {
            const server = yield* listen(receiver.listens)
            const url = urlOf(receiver, server.port)
            return { receiver, server, url, id: yield* submit(principal, url) }
          })
        )
        assert.isAtLeast(meetings.length, 40)
        sweep()
        const before = bytesInUse()
        let peak = before
        const timer = setInterval(() => {
          peak = Math.max(peak, bytesInUse())
        }, 10)
        const waiting = new Set(
          meetings.flatMap(({ receiver, url }) => (receiver.waits === true ? [url] : []))
        )
        // Three attempts of 30 seconds, two pauses of a minute, and the start.
        yield* pass(220, { attempts, waiting })
        clearInterval(timer)

        for (const { id, name, status } of meetings.map((meeting) => judge(meeting, attempts))) {
          assert.strictEqual((yield* jobs.status(principal, id)).status, status, name)
        }
        assert.strictEqual(sockets.length, attempts.length)
        assert.isTrue(sockets.every(({ destroyed }) => destroyed))
        assert.isBelow(peak - before, 64 * megabyte)

        const sent = attempts.length
        yield* pass(120, { attempts, waiting })
        assert.strictEqual(attempts.length, sent)
        const polite = yield* listen({ onRequest: says(200) })
        const last = yield* submit(principal, `${polite.origin}/hook`)
        yield* pass(2, { attempts, waiting })
        assert.strictEqual((yield* jobs.status(principal, last)).status, "WEBHOOK_DELIVERED")
      }).pipe(Effect.provide(deployment(attempts))),
    // Some 1,400 steps of the clock, with real sockets in between.
    60_000
  )
})
