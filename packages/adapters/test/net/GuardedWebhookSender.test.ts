/** One POST to receivers that behave and to receivers that do not: each is asked exactly once. */
import type { Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { GuardedWebhookSender, type GuardOptions } from "@verbatim/adapters/net"
import { type WebhookPost, WebhookSender } from "@verbatim/core/ports/WebhookSender"
import { Duration, Effect, Fiber } from "effect"
import { allow, closed, scripted } from "./Fetching.ts"
import { hostile } from "./HostileUrls.ts"
import {
  answer,
  type Behaviour,
  clientSockets,
  eventually,
  listen,
  says
} from "./LoopbackServer.ts"

const loopback: GuardOptions = {
  allowNetworks: allow("127.0.0.1/32"),
  limits: { connectTimeout: Duration.millis(300), answerTimeout: Duration.millis(200) }
}

const timeout = Duration.millis(500)

/** The status, or the failure in words. */
const post = (request: Partial<WebhookPost> & { readonly url: string }, options = loopback) =>
  Effect.flatMap(WebhookSender, (sender) =>
    sender.post({ headers: {}, body: "{}", timeout, ...request })
  ).pipe(
    Effect.catch(({ detail }) => Effect.succeed(detail)),
    Effect.provide(GuardedWebhookSender.layer(options))
  )

/** Writes the same again and again until the socket is gone. */
const forever = (socket: Socket, piece: string | Buffer, millis: number): void => {
  const timer = setInterval(() => socket.write(piece), millis)
  socket.on("close", () => clearInterval(timer))
}

const flood = (socket: Socket, head: string): void => {
  socket.write(head)
  const block = Buffer.alloc(64 * 1024)
  const fill = (): void => {
    while (!socket.destroyed && socket.write(block));
  }
  socket.on("drain", fill)
  fill()
}

const ok = "HTTP/1.1 200 OK\r\n"
const host = "127.0.0.1"

const statuses = [
  200, 201, 202, 204, 205, 299, 300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 408,
  409, 410, 413, 418, 422, 425, 429, 500, 501, 502, 503, 504, 511, 599
]

/** What a receiver does, and what is made of it. */
const receivers: ReadonlyArray<readonly [name: string, does: Behaviour, outcome: number | RegExp]> =
  [
    ["says nothing", () => undefined, /^no answer within 500ms$/],
    [
      "drips its head",
      (socket) => forever(socket, "x", 20),
      /UNKNOWN|within 500ms|^127.0.0.1: HPE/
    ],
    [
      "drips its headers",
      (socket) => {
        socket.write(ok)
        forever(socket, "x: y\r\n", 20)
      },
      /^no answer within 500ms$/
    ],
    ["closes", (socket) => socket.end(), /^127\.0\.0\.1: [A-Z_]+$/],
    ["resets", (socket) => socket.resetAndDestroy(), /^127\.0\.0\.1: [A-Z_]+$/],
    ["closes inside its head", (socket) => socket.end(`${ok}x: y`), /^127\.0\.0\.1: [A-Z_]+$/],
    ["speaks another protocol", (socket) => socket.end("220 hi\r\n"), /^127\.0\.0\.1: [A-Z_]+$/],
    [
      "sends a broken status",
      (socket) => socket.end("HTTP/1.1 2 OK\r\n\r\n"),
      /^127\.0\.0\.1: [A-Z_]+$/
    ],
    [
      "sends a head of 20 kB",
      (socket) => socket.end(`${ok}x: ${"y".repeat(20_000)}\r\n\r\n`),
      /^127\.0\.0\.1: UND_ERR_HEADERS_OVERFLOW$/
    ],
    [
      "switches protocols",
      (socket) => socket.end("HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n"),
      /^127\.0\.0\.1: [A-Z_]+$/
    ],
    [
      "sends early hints forever",
      (socket) => forever(socket, "HTTP/1.1 103 Early\r\nlink: x\r\n\r\n", 5),
      /^no answer within 500ms$/
    ],
    [
      "sends a hint, then accepts",
      (socket) => socket.end(`HTTP/1.1 103 Early\r\nlink: x\r\n\r\n${answer(202)}`),
      202
    ],
    // undici takes an answer to a question that it did not ask for a broken peer.
    ["says continue, unasked", (socket) => socket.end("HTTP/1.1 100 Continue\r\n\r\n"), /_SOCKET$/],
    ["answers twice", (socket) => socket.end(`${answer(200)}${answer(500)}`), 200],
    ["stalls its body", (socket) => socket.write(`${ok}content-length: 9\r\n\r\nabc`), 200],
    [
      "drips its body",
      (socket) => {
        socket.write(`${ok}\r\n`)
        forever(socket, "x", 10)
      },
      200
    ],
    ["floods its body", (socket) => flood(socket, `${ok}\r\n`), 200],
    ["floods an error", (socket) => flood(socket, "HTTP/1.1 500 No\r\n\r\n"), 500],
    ["announces 10 GB", (socket) => flood(socket, `${ok}content-length: 10000000000\r\n\r\n`), 200],
    [
      "sends a gzip bomb",
      (socket) => {
        const bomb = gzipSync(Buffer.alloc(50_000_000))
        socket.write(`${ok}content-encoding: gzip\r\ncontent-length: ${bomb.byteLength}\r\n\r\n`)
        socket.end(bomb)
      },
      200
    ],
    ["ends short of its length", (socket) => socket.end(`${ok}content-length: 9\r\n\r\nabc`), 200],
    [
      "resets after its head",
      (socket) => socket.write(`${ok}content-length: 9\r\n\r\n`, () => socket.resetAndDestroy()),
      200
    ],
    [
      "breaks its chunks",
      (socket) => socket.end(`${ok}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n`),
      200
    ],
    ["keeps the connection", (socket) => socket.write(`${answer(200)}`), 200]
  ]

describe("GuardedWebhookSender", () => {
  it.live("sends what it is given and only what HTTP needs besides", () =>
    Effect.gen(function* () {
      const server = yield* listen({ onRequest: says(200) })
      const headers = {
        "content-type": "application/json",
        "webhook-id": "1",
        "X-Callback-ID": "a"
      }
      const body = JSON.stringify({ text: "é".repeat(100_000) })
      const status = yield* post({ url: `${server.origin}/hook?a=b`, headers, body })
      assert.strictEqual(status, 200)
      const [head = "", sent] = (server.received[0] ?? "").split("\r\n\r\n")
      assert.strictEqual(sent, body)
      assert.deepStrictEqual(head.split("\r\n").sort(), [
        "POST /hook?a=b HTTP/1.1",
        "X-Callback-ID: a",
        "connection: close",
        `content-length: ${Buffer.byteLength(body)}`,
        "content-type: application/json",
        `host: 127.0.0.1:${server.port}`,
        "webhook-id: 1"
      ])
      assert.isTrue(yield* eventually(() => server.open() === 0))
    }).pipe(Effect.withSpan("delivery"))
  )

  it.live.each(statuses)("answers with status %d, follows nothing and repeats nothing", (status) =>
    Effect.gen(function* () {
      const other = yield* listen({ onRequest: says(200) })
      const headers = { location: other.origin, "retry-after": "0" }
      const server = yield* listen({ onRequest: says(status, { headers }) })
      assert.strictEqual(yield* post({ url: server.origin }), status)
      assert.strictEqual(server.connections(), 1)
      assert.strictEqual(other.connections(), 0)
    })
  )

  it.live.each(receivers)("meets a receiver that %s", ([, does, outcome]) =>
    Effect.gen(function* () {
      const sockets = yield* clientSockets
      const server = yield* listen({ onRequest: does })
      const [elapsed, said] = yield* Effect.timed(post({ url: server.origin }))
      if (typeof outcome === "number") assert.strictEqual(said, outcome)
      else assert.match(`${said}`, outcome)
      assert.isBelow(Duration.toMillis(elapsed), 900)
      assert.strictEqual(server.connections(), 1)
      assert.strictEqual(sockets.length, 1)
      // 64 KiB, the head, and what one read of a socket brings beyond them.
      assert.isAtMost(sockets[0]?.bytesRead ?? 0, (64 + 64 + 64) * 1024)
      assert.isTrue(yield* eventually(() => server.open() === 0))
    })
  )

  it.live("meets a receiver that closes before it has read", () =>
    Effect.gen(function* () {
      const server = yield* listen({ onConnection: (socket) => socket.destroy() })
      const said = yield* post({ url: server.origin, body: "x".repeat(1_000_000) })
      assert.match(`${said}`, /^127\.0\.0\.1: [A-Z_]+$/)
      assert.strictEqual(server.connections(), 1)
    })
  )

  it.live("meets a receiver that answers before it has read", () =>
    Effect.gen(function* () {
      const server = yield* listen({ onConnection: (socket) => socket.write(answer(413)) })
      const said = yield* post({ url: server.origin, body: "x".repeat(5_000_000) })
      assert.match(`${said}`, /^(?:413|127\.0\.0\.1: [A-Z_]+)$/)
      assert.strictEqual(server.connections(), 1)
    })
  )

  it.live("meets a receiver that reads nothing", () =>
    Effect.gen(function* () {
      const server = yield* listen({ onConnection: (socket) => socket.pause() })
      const said = yield* post({ url: server.origin, body: "x".repeat(20_000_000) })
      assert.strictEqual(said, "no answer within 500ms")
    })
  )

  it.live("meets a port where nobody listens", () =>
    Effect.gen(function* () {
      const port = yield* Effect.scoped(Effect.map(listen({}), (server) => server.port))
      const said = yield* post({ url: `http://127.0.0.1:${port}/` })
      assert.strictEqual(said, `${host}: ECONNREFUSED`)
    })
  )

  it.live("meets a handshake that never comes", () =>
    Effect.gen(function* () {
      const server = yield* listen({})
      const said = yield* post({ url: `https://127.0.0.1:${server.port}/` })
      assert.strictEqual(said, `${host}: ConnectTimeout`)
    })
  )

  it.live("counts the resolver to the whole, and names who has no address", () =>
    Effect.gen(function* () {
      const url = "http://hooks.example.com/"
      const never = { ...loopback, resolve: () => Effect.never }
      assert.strictEqual(yield* post({ url }, never), "no answer within 500ms")
      const empty = { ...loopback, resolve: scripted([]).resolve }
      assert.strictEqual(yield* post({ url }, empty), "hooks.example.com: ENODATA")
    })
  )

  it.live("opens no socket for a hostile URL", () =>
    Effect.gen(function* () {
      const sockets = yield* clientSockets
      for (const [url, refusal] of hostile) {
        assert.strictEqual(yield* post({ url }, closed), `refused: ${refusal}`)
      }
      assert.strictEqual(sockets.length, 0)
    })
  )

  it.live.each([{ "x-bad": "a\nb" }, { "x bad": "a" }, { "transfer-encoding": "chunked" }])(
    "fails for the headers %j, and nothing is sent",
    (headers) =>
      Effect.gen(function* () {
        const server = yield* listen({ onRequest: says(200) })
        const sent: Readonly<Record<string, string>> = { ...headers }
        assert.match(`${yield* post({ url: server.origin, headers: sent })}`, /: UND_ERR_/)
        assert.deepStrictEqual(server.received.join(""), "")
      })
  )

  it.live("closes at once when it is interrupted", () =>
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
