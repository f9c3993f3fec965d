/**
 * Tests how the body of a download ends, how fast it must arrive, how back pressure slows it down,
 * and how it is closed.
 */
import { assert, describe, it } from "@effect/vitest"
import { GuardedMediaFetcher, type GuardOptions } from "@verbatim/adapters/net"
import { MediaFetcher } from "@verbatim/core/ports"
import { Duration, Effect, Fiber, Stream } from "effect"
import { allow, check, download, failure, loopback } from "./Fetching.ts"
import { flood } from "./HostileReceivers.ts"
import { clientSockets, eventually, listen, respond } from "./LoopbackServer.ts"

describe("the body of a download", () => {
  it.live("fails if it ends before its declared length or between its chunks", () =>
    Effect.gen(function* () {
      const short = yield* listen({
        onRequest: respond(200, { headers: { "content-length": "100" }, body: "short" })
      })
      const cut = yield* listen({
        onRequest: (socket) =>
          socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n")
      })
      assert.match(yield* failure(download(short.origin)), /^Unreachable 127\.0\.0\.1: /)
      assert.match(yield* failure(download(cut.origin)), /^Unreachable 127\.0\.0\.1: /)
    })
  )

  it.live("fails if it stalls, is too slow, or takes too long in total", () =>
    Effect.gen(function* () {
      const dripping = (size: number, millis: number) =>
        listen({
          onRequest: (socket) => {
            socket.write("HTTP/1.1 200 OK\r\n\r\nfirst")
            const timer = setInterval(() => socket.write("x".repeat(size)), millis)
            socket.on("close", () => clearInterval(timer))
          }
        })
      const limited = (limits: GuardOptions["limits"]) => ({ ...loopback, limits: limits ?? {} })
      const stalled = yield* dripping(1, 10_000)
      const idle = limited({ idleTimeout: Duration.millis(100) })
      assert.strictEqual(
        yield* failure(download(stalled.origin, idle)),
        "Unreachable 127.0.0.1: Stalled"
      )
      const slow = yield* dripping(1, 10)
      const paced = limited({ paceWindow: Duration.millis(200), bytesPerSecondMin: 10_000 })
      assert.strictEqual(
        yield* failure(download(slow.origin, paced)),
        "Unreachable 127.0.0.1: TooSlow"
      )
      const endless = yield* dripping(10_000, 10)
      const timed = limited({ transferTimeout: Duration.millis(200) })
      assert.match(yield* failure(download(endless.origin, timed)), /TransferTimeout|Stalled/)
      for (const server of [stalled, slow, endless]) {
        assert.isTrue(yield* eventually(() => server.open() === 0))
      }
    })
  )

  it.live("is read only as far as needed, and disconnects when its reader stops", () =>
    Effect.gen(function* () {
      const sockets = yield* clientSockets
      const server = yield* listen({
        onRequest: (socket) => flood(socket, "HTTP/1.1 200 OK\r\n\r\n", Buffer.alloc(64 * 1024))
      })
      const fetcher = yield* MediaFetcher
      const { content } = yield* fetcher.fetch(server.origin)
      yield* Effect.sleep(100)
      assert.isBelow(sockets[0]?.bytesRead ?? 0, 512 * 1024)
      const first = yield* Stream.runCollect(Stream.take(content, 2))
      assert.strictEqual(first.length, 2)
      assert.isBelow(sockets[0]?.bytesRead ?? 0, 1024 * 1024)
      assert.isTrue(yield* eventually(() => server.open() === 0))
    }).pipe(Effect.provide(GuardedMediaFetcher.layer(loopback)))
  )

  for (const [title, content] of [
    ["none", ""],
    ["a little", "\r\nx\r\n1;"]
  ] as const) {
    it.live(`fails if it has endless chunk extensions with ${title} content between them`, () =>
      Effect.gen(function* () {
        const sockets = yield* clientSockets
        const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;"
        const server = yield* listen({
          onRequest: (socket) => flood(socket, head, `${"y".repeat(10_000)}${content}`)
        })
        assert.match(yield* failure(download(server.origin)), /^Unreachable 127\.0\.0\.1: /)
        assert.isBelow(sockets[0]?.bytesRead ?? 0, 4 * 1024 * 1024)
      })
    )
  }

  it.live("can consist of the smallest possible chunks", () =>
    Effect.gen(function* () {
      const body = "1\r\nx\r\n".repeat(1_000_000)
      const server = yield* listen({
        onRequest: (socket) =>
          socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body}0\r\n\r\n`)
      })
      assert.strictEqual((yield* download(server.origin)).byteLength, 1_000_000)
    })
  )

  it.live("disconnects immediately if it is interrupted at any stage", () =>
    Effect.gen(function* () {
      const silent = yield* listen({ onRequest: () => undefined })
      const fiber = yield* Effect.forkChild(
        check(silent.origin, { allowedNetworks: allow("127.0.0.0/8") })
      )
      assert.isTrue(yield* eventually(() => silent.open() === 1))
      yield* Fiber.interrupt(fiber)
      assert.isTrue(yield* eventually(() => silent.open() === 0))
      const stalling = yield* listen({
        onRequest: (socket) => socket.write("HTTP/1.1 200 OK\r\n\r\nfirst")
      })
      const reading = yield* Effect.forkChild(download(stalling.origin))
      assert.isTrue(yield* eventually(() => stalling.received.length === 1))
      yield* Effect.sleep(50)
      yield* Fiber.interrupt(reading)
      assert.isTrue(yield* eventually(() => stalling.open() === 0))
    })
  )
})
