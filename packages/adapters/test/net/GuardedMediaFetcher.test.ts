/**
 * Fetches media over real sockets, and tests which responses are accepted and how long a fetch may
 * take.
 */
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates
} from "node:tls"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { GuardedMediaFetcher } from "@verbatim/adapters/net"
import { MediaFetcherContract } from "@verbatim/testkit/contracts"
import { LocalMediaHosts } from "@verbatim/testkit/servers"
import { Effect, Layer } from "effect"
import { cert, key } from "./Certificate.ts"
import { allow, check, download, failure, loopback, scripted, shortTimeouts } from "./Fetching.ts"
import { answer, eventually, listen, respond } from "./LoopbackServer.ts"

describe("GuardedMediaFetcher, responses", () => {
  it.live("sends few headers, and disconnects after the headers of the response", () =>
    Effect.gen(function* () {
      const headers = { "content-length": "1000000" }
      const server = yield* listen({
        onRequest: (socket) => socket.write(answer(200, { headers }))
      })
      yield* check(`${server.origin}/a/b.mp3?c=d#e`)
      const [head, ...lines] = (server.received[0] ?? "").trimEnd().split("\r\n")
      assert.strictEqual(head, "GET /a/b.mp3?c=d HTTP/1.1")
      assert.deepStrictEqual(lines.map((line) => line.split(":")[0]).sort(), [
        "accept",
        "accept-encoding",
        "connection",
        "host",
        "user-agent"
      ])
      assert.isTrue(yield* eventually(() => server.open() === 0))
    })
  )

  it.live("streams a body unchanged, whatever its framing", () =>
    Effect.gen(function* () {
      const body = "x".repeat(300_000)
      const plain = yield* listen({ onRequest: respond(200, { body }) })
      const chunked = yield* listen({
        onRequest: (socket) =>
          socket.end(
            `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n`
          )
      })
      const unframed = yield* listen({
        onRequest: (socket) => socket.end("HTTP/1.0 200 OK\r\n\r\nto the end")
      })
      assert.strictEqual((yield* download(plain.origin)).toString(), body)
      assert.strictEqual((yield* download(chunked.origin)).toString(), "hello!")
      assert.strictEqual((yield* download(unframed.origin)).toString(), "to the end")
    })
  )

  it.live("requests identity encoding, and refuses a compressed body", () =>
    Effect.gen(function* () {
      const bomb = gzipSync(Buffer.alloc(10_000_000))
      const server = yield* listen({
        onRequest: (socket) => {
          const headers = { "content-encoding": "gzip", "content-length": `${bomb.byteLength}` }
          socket.write(answer(200, { headers }))
          socket.end(bomb)
        }
      })
      assert.strictEqual(
        yield* failure(download(server.origin)),
        "Unreachable 127.0.0.1: Compressed"
      )
    })
  )

  it.live("accepts only a server with a trusted certificate", () =>
    Effect.gen(function* () {
      const server = yield* listen({
        onRequest: respond(200, { body: "sealed" }),
        wrap: (listener) => createTlsServer({ cert, key }, listener)
      })
      const url = `https://media.example.com:${server.port}/`
      const options = { ...loopback, resolve: scripted(["127.0.0.1"]).resolve }
      const untrusted = "Unreachable media.example.com: DEPTH_ZERO_SELF_SIGNED_CERT"
      assert.strictEqual(yield* failure(download(url, options)), untrusted)
      // Restore this option afterwards, because other test files share the process.
      yield* Effect.acquireRelease(
        Effect.sync(() => getCACertificates("default")),
        (before) => Effect.sync(() => setDefaultCACertificates(before))
      )
      setDefaultCACertificates([cert])
      assert.strictEqual((yield* download(url, options)).toString(), "sealed")
      assert.strictEqual(
        (yield* download(`https://127.0.0.1:${server.port}/`)).toString(),
        "sealed"
      )
      const other = url.replace("media", "other")
      const misnamed = "Unreachable other.example.com: ERR_TLS_CERT_ALTNAME_INVALID"
      assert.strictEqual(yield* failure(download(other, options)), misnamed)
    })
  )
})

describe("GuardedMediaFetcher, redirects", () => {
  it.live.each([301, 302, 303, 307, 308])("follows status %d at most five times", (status) =>
    Effect.gen(function* () {
      const server = yield* listen({
        onRequest: (socket, request) => {
          const left = Number(/^GET \/(\d+)/.exec(request)?.[1])
          const location =
            left % 2 === 0 ? `${left - 1}` : `http://127.0.0.1:${server.port}/${left - 1}`
          if (left === 0) socket.end(answer(200, { body: "arrived" }))
          else socket.end(answer(status, { headers: { location } }))
        }
      })
      assert.strictEqual((yield* download(`${server.origin}/5`)).toString(), "arrived")
      assert.strictEqual(server.connections(), 6)
      const outcome = yield* failure(download(`${server.origin}/6`))
      assert.strictEqual(outcome, "Unreachable 127.0.0.1: TooManyRedirects")
      assert.strictEqual(server.connections(), 12)
    })
  )

  it.live.each<readonly [string, Readonly<Record<string, string>>]>([
    ["no location", {}],
    ["an unreadable location", { location: "http://[" }],
    ["a backslash", { location: "/\\127.0.0.2/" }]
  ])("does not follow %s", ([, headers]) =>
    Effect.gen(function* () {
      const server = yield* listen({ onRequest: respond(302, { headers }) })
      assert.match(yield* failure(check(server.origin)), /InvalidRedirect|Malformed/)
      assert.strictEqual(server.connections(), 1)
    })
  )
})

describe("GuardedMediaFetcher, misbehaving servers", () => {
  it.live("ends the check if the response headers arrive too slowly", () =>
    Effect.gen(function* () {
      const server = yield* listen({
        onRequest: (socket) => {
          socket.write("HTTP/1.1 200 OK\r\n")
          const timer = setInterval(() => socket.write("x: y\r\n"), 20)
          socket.on("close", () => clearInterval(timer))
        }
      })
      const outcome = yield* failure(check(server.origin, shortTimeouts))
      assert.strictEqual(outcome, "Unreachable no answer within 600ms")
    })
  )

  it.live("includes name resolution and redirects in the same time limit", () =>
    Effect.gen(function* () {
      const server = yield* listen({ onRequest: respond(302, { headers: { location: "/again" } }) })
      let resolved = 0
      const resolve = () =>
        Effect.delay(
          Effect.sync(() => {
            resolved += 1
            return ["127.0.0.1"]
          }),
          250
        )
      const url = `http://slow.example.com:${server.port}/`
      const outcome = yield* failure(check(url, { ...shortTimeouts, resolve }))
      assert.strictEqual(outcome, "Unreachable no answer within 600ms")
      // If each redirect had its own time limit, all of them would succeed.
      assert.isAtMost(resolved, 2)
    })
  )
})

MediaFetcherContract.suite(
  "guarded, over real sockets",
  Layer.merge(
    GuardedMediaFetcher.layer({ allowedNetworks: allow("127.0.0.0/8") }),
    LocalMediaHosts.layer
  )
)
