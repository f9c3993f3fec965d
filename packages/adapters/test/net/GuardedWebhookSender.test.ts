/** Tests that every receiver, whether it behaves well or not, gets exactly one POST. */
import type { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { GuardedWebhookSender, type GuardOptions } from "@verbatim/adapters/net"
import { type WebhookPost, WebhookSender } from "@verbatim/core/ports"
import { type Arrived, Receivers, WebhookSenderContract } from "@verbatim/testkit/contracts"
import { Duration, Effect, Fiber, Layer } from "effect"
import { allow, scripted } from "./Fetching.ts"
import { isExpected, receivers, urlOf, type Withheld } from "./HostileReceivers.ts"
import { answer, clientSockets, eventually, listen, respond } from "./LoopbackServer.ts"

const timeout = Duration.minutes(5)

/** This limit on connecting is longer than in production, because the machine may be busy. */
const patient = { connectTimeout: timeout, answerTimeout: timeout }

const loopback: GuardOptions = { allowedNetworks: allow("127.0.0.1/32") }

const send = (request: Partial<WebhookPost> & { readonly url: string }) =>
  Effect.flatMap(WebhookSender, (sender) =>
    sender.post({ headers: {}, body: "{}", timeout, ...request })
  )

/** Sends a webhook, and returns the status or the failure as text. */
const post = (request: Partial<WebhookPost> & { readonly url: string }, options = loopback) =>
  send(request).pipe(
    Effect.map(({ status }) => status),
    Effect.catch(({ detail }) => Effect.succeed(detail)),
    Effect.provide(GuardedWebhookSender.layer(options))
  )

/**
 * Short time limits for events that never happen in these tests, and long ones for all others,
 * because a busy machine is slow.
 */
const hurries = {
  answer: { limits: patient, timeout: Duration.millis(500) },
  body: { limits: { ...patient, answerTimeout: Duration.millis(200) }, timeout },
  handshake: { limits: { ...patient, connectTimeout: Duration.millis(300) }, timeout }
} as const

const postInVain = (
  withheld: Withheld,
  request: Partial<WebhookPost> & { readonly url: string },
  more: GuardOptions = loopback
) => {
  const { limits, timeout } = hurries[withheld]
  return post({ ...request, timeout }, { ...more, limits })
}

const host = "127.0.0.1"

describe("GuardedWebhookSender", () => {
  it.live("returns the beginning of a response, whatever its status", () =>
    Effect.gen(function* () {
      const word = "wrong signature \u00e9\u0000 "
      for (const body of ["", word, word.repeat(50_000)]) {
        const server = yield* listen({ onRequest: respond(401, { body }) })
        const { status, text } = yield* send({ url: server.origin })
        assert.deepStrictEqual([status, text], [401, body.slice(0, 2_000)])
      }
      const cut = yield* listen({
        onRequest: (socket) => {
          socket.write("HTTP/1.1 500 No\r\ncontent-length: 9\r\n\r\nha", () => socket.destroy())
        }
      })
      assert.deepStrictEqual(yield* send({ url: cut.origin }), { status: 500, text: "ha" })
    }).pipe(Effect.provide(GuardedWebhookSender.layer(loopback)))
  )

  it.live.each(receivers.map((receiver) => [receiver.does, receiver] as const))(
    "handles a receiver that %s",
    ([, receiver]) =>
      Effect.gen(function* () {
        const sockets = yield* clientSockets
        const server = yield* listen(receiver.listens)
        const url = urlOf(receiver, server.port)
        const { withholds } = receiver
        const status = yield* withholds === undefined
          ? post({ url })
          : postInVain(withholds, { url })
        assert.isTrue(isExpected(receiver, status), `${status}`)
        assert.isAtMost(server.connections(), 1)
        assert.strictEqual(sockets.length, 1)
        // The limit is a 64 KiB body, its headers, and one more read from the socket.
        assert.isAtMost(sockets[0]?.bytesRead ?? 0, (64 + 64 + 64) * 1024)
        assert.isTrue(yield* eventually(() => sockets.every(({ destroyed }) => destroyed)))
      })
  )

  it.live.each<readonly [string, (socket: Socket) => void, RegExp]>([
    ["closes", (socket) => socket.destroy(), /^127\.0\.0\.1: [A-Z_]+$/],
    ["answers", (socket) => socket.write(answer(413)), /^(?:413|127\.0\.0\.1: [A-Z_]+)$/]
  ])("handles a receiver that %s before it has read the request", ([, onConnection, outcome]) =>
    Effect.gen(function* () {
      const server = yield* listen({ onConnection })
      const status = yield* post({ url: server.origin, body: "x".repeat(5_000_000) })
      assert.match(`${status}`, outcome)
      assert.strictEqual(server.connections(), 1)
    })
  )

  it.live("fails if no server listens on the port", () =>
    Effect.gen(function* () {
      const port = yield* Effect.scoped(Effect.map(listen({}), (server) => server.port))
      const status = yield* post({ url: `http://127.0.0.1:${port}/` })
      assert.strictEqual(status, `${host}: ECONNREFUSED`)
    })
  )

  it.live(
    "includes name resolution in the time limit, and reports a host name without an address",
    () =>
      Effect.gen(function* () {
        const url = "http://hooks.example.com/"
        const never = { ...loopback, resolve: () => Effect.never }
        assert.strictEqual(yield* postInVain("answer", { url }, never), "no answer within 500ms")
        const empty = { ...loopback, resolve: scripted([]).resolve }
        assert.strictEqual(yield* post({ url }, empty), "hooks.example.com: ENODATA")
      })
  )

  it.live.each([{ "x-bad": "a\nb" }, { "x bad": "a" }, { "transfer-encoding": "chunked" }])(
    "rejects the headers %j before anything is sent",
    (headers) =>
      Effect.gen(function* () {
        const server = yield* listen({ onRequest: respond(200) })
        const sent: Readonly<Record<string, string>> = { ...headers }
        assert.match(`${yield* post({ url: server.origin, headers: sent })}`, /: UND_ERR_/)
        assert.deepStrictEqual(server.received.join(""), "")
      })
  )

  it.live("disconnects immediately if the delivery is interrupted", () =>
    Effect.gen(function* () {
      const server = yield* listen({ onRequest: () => undefined })
      const sending = post({ url: server.origin, timeout: Duration.seconds(30) })
      const fiber = yield* Effect.forkChild(sending)
      assert.isTrue(yield* eventually(() => server.received[0] !== undefined))
      yield* Fiber.interrupt(fiber)
      assert.isTrue(yield* eventually(() => server.open() === 0))
    })
  )
})

const parsed = (request: string): Arrived => {
  const end = request.indexOf("\r\n\r\n")
  const [first = "", ...lines] = request.slice(0, end).split("\r\n")
  const [method = "", path = ""] = first.split(" ")
  const headers = lines.map((line) => {
    const colon = line.indexOf(":")
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { method, path, headers: Object.fromEntries(headers), body: request.slice(end + 4) }
}

const loopbackReceivers = Layer.succeed(Receivers, {
  open: (manner) =>
    listen({
      onRequest: (socket) => {
        if (manner._tag === "Closes") socket.destroy()
        if (manner._tag === "Answers") {
          socket.end(answer(manner.status, { headers: { ...manner.headers } }))
        }
      }
    }).pipe(
      Effect.map(({ origin, received }) => ({
        origin,
        arrived: Effect.sync(() => received.filter((text) => text !== "").map(parsed))
      }))
    )
})

WebhookSenderContract.suite(
  "guarded, over real sockets",
  Layer.merge(
    GuardedWebhookSender.layer({ allowedNetworks: allow("127.0.0.0/8") }),
    loopbackReceivers
  )
)
