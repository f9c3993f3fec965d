/**
 * Tests a whole worker with many misbehaving receivers at the same time. The core, the sender and
 * the sockets are real, and production limits are used with a test clock. Each of these receivers
 * gets at most three attempts, at least 60 seconds apart, and all other receivers are served.
 */
import { assert, describe, it } from "@effect/vitest"
import { GuardedWebhookSender } from "@verbatim/adapters/net"
import { WebhookSender } from "@verbatim/core/ports"
import { Jobs } from "@verbatim/core/services"
import { FakeMedia } from "@verbatim/testkit/fakes"
import { bytesInUse } from "@verbatim/testkit/servers"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { caller, outside, really, submitFile, worker } from "./Deployment.ts"
import { allow } from "./Fetching.ts"
import { isExpected, receivers, urlOf } from "./HostileReceivers.ts"
import { clientSockets, type LoopbackServer, listen, respond } from "./LoopbackServer.ts"
import type { Receiver } from "./Misbehaviour.ts"

const allowedNetworks = allow("127.0.0.0/8")

/** One of the worker's requests: its start, end and outcome. */
interface Attempt {
  readonly url: string
  readonly id: string | undefined
  readonly body: string
  readonly beganAt: number
  endedAt: number
  status: number | string | undefined
}

/** Wraps the real sender, and records each attempt. */
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
            status: undefined
          }
          attempts.push(attempt)
          const end = (status: number | string) =>
            Effect.map(Clock.currentTimeMillis, (millis) => {
              attempt.endedAt = millis
              attempt.status = status
            })
          return yield* sender.post(request).pipe(
            Effect.tap(({ status }) => end(status)),
            Effect.tapError(({ detail }) => end(detail))
          )
        })
      })
    )
  ).pipe(
    Layer.provide(GuardedWebhookSender.layer({ allowedNetworks })),
    Layer.merge(FakeMedia.layer)
  )

/** A listening receiver, with the job whose webhook is sent to it. */
interface Meeting {
  readonly receiver: Receiver
  readonly server: LoopbackServer
  readonly url: string
  readonly id: string
}

/** Real time that a busy machine may need for events that happen immediately. */
const settledWithin = 60_000

interface Passage {
  readonly attempts: ReadonlyArray<Attempt>
  /** URLs of receivers whose requests are ended only by a time limit. */
  readonly waiting: ReadonlySet<string>
  /** Called at regular intervals. */
  readonly look: () => void
}

/**
 * Moves the test clock in small steps. The clock is not moved while an attempt is running that ends
 * without a time limit, because sockets use real time.
 */
const pass = Effect.fnUntraced(function* (seconds: number, { attempts, look, waiting }: Passage) {
  let begun = attempts.length
  for (let step = 0; step < seconds * 2; step += 1) {
    yield* TestClock.adjust("500 millis")
    yield* really(0)
    if (step % 20 === 0) look()
    if (attempts.length > begun) yield* really(250)
    begun = attempts.length
    const isBusy = () =>
      attempts.some(({ status, url }) => status === undefined && !waiting.has(url))
    for (let millis = 0; isBusy() && millis < settledWithin; millis += 5) yield* really(5)
  }
})

const judge = ({ id, receiver, server, url }: Meeting, all: ReadonlyArray<Attempt>) => {
  const name = `a receiver that ${receiver.does}`
  const attempts = all.filter((attempt) => attempt.url === url)
  for (const { status = "nothing" } of attempts) {
    assert.isTrue(isExpected(receiver, status), `${name}: ${status}`)
  }
  const isAccepted = attempts.some(({ status }) => typeof status === "number" && status < 300)
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

const megabyte = 1_048_576

describe("A worker with hostile receivers", () => {
  const attempts: Array<Attempt> = []

  it.effect(
    "makes at most three attempts for each receiver, 60 seconds apart, and keeps working",
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
            return { receiver, server, url, id: yield* submitFile(principal, url) }
          })
        )
        assert.isAtLeast(meetings.length, 40)
        const before = bytesInUse()
        let peak = before
        const look = () => {
          peak = Math.max(peak, bytesInUse())
        }
        const waiting = new Set(
          meetings.flatMap(({ receiver, url }) => (receiver.withholds === undefined ? [] : [url]))
        )
        // Three attempts of 30 seconds, two pauses of a minute, and the start fit into this time.
        yield* pass(220, { attempts, look, waiting })

        for (const { id, name, status } of meetings.map((meeting) => judge(meeting, attempts))) {
          assert.strictEqual((yield* jobs.status(principal, id)).status, status, name)
        }
        assert.strictEqual(sockets.length, attempts.length)
        assert.isTrue(sockets.every(({ destroyed }) => destroyed))
        assert.isBelow(peak - before, 32 * megabyte)

        const sent = attempts.length
        yield* pass(70, { attempts, look, waiting })
        assert.strictEqual(attempts.length, sent)
        const polite = yield* listen({ onRequest: respond(200) })
        const last = yield* submitFile(principal, `${polite.origin}/hook`)
        yield* pass(2, { attempts, look, waiting })
        assert.strictEqual((yield* jobs.status(principal, last)).status, "WEBHOOK_DELIVERED")
      }).pipe(
        Effect.provide(
          worker.pipe(Layer.provideMerge(outside({ allowedNetworks, net: watched(attempts) })))
        )
      )
  )
})
