/** Tests over real sockets which requests the listener accepts on one connection. */
import { once } from "node:events"
import { readdirSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { bytesInUse } from "@verbatim/testkit/servers"
import { Effect } from "effect"
import { toOrigin, waitingMax } from "#src/listener/SequentialServer"
import { listening, opened, port, readAnswers, serving, until } from "./Serving.ts"

/** A response that exceeds the buffers of two sockets. */
const large = Buffer.alloc(16 * 1_048_576, "x")

/** Starts a listener that counts the requests it starts and the responses it sends. */
const countingWith = (answer: (response: ServerResponse) => void) =>
  Effect.suspend(() => {
    const seen = { begun: 0, sent: 0 }
    const handle = (_request: IncomingMessage, response: ServerResponse) => {
      seen.begun += 1
      response.once("close", () => {
        seen.sent += 1
      })
      answer(response)
    }
    return Effect.map(listening(handle), ({ port }) => ({ seen, port }))
  })

/** Counts requests, and sends large responses. */
const counting = countingWith((response) => response.end(large))

/** Responds with a new body. A listener of the response keeps a reference to the body. */
const answerHolding = (response: ServerResponse): void => {
  const body = Buffer.alloc(1_048_576, "x")
  response.once("drain", () => void body).end(body)
}

const requestText = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

const connecting = (port: number) =>
  Effect.acquireRelease(
    Effect.sync(() => connect(port, "127.0.0.1").on("error", () => undefined)),
    (socket) => Effect.sync(() => socket.destroy())
  )

/** Opens a connection with twenty requests. Only one of them has started. */
const askingMuch = Effect.gen(function* () {
  const { port, seen } = yield* counting
  const socket = yield* connecting(port)
  socket.write(requestText.repeat(20))
  yield* until(() => seen.begun > 0)
  return { seen, socket }
})

/** Waits long enough for pending work to run. */
const aWhile = Effect.sleep(300)

/** Limits the reading of unwanted input to 100 ms, instead of 30 seconds. */

describe("the origin", () => {
  it.each([
    ["127.0.0.1", "127.0.0.1"],
    ["::ffff:127.0.0.1", "127.0.0.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8::6", "2001:db8:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["::1", "0:0:0:0"]
  ])("is taken from the address %s as %s", (address, origin) => {
    assert.strictEqual(toOrigin(address), origin)
  })
})

describe("a connection", () => {
  it.live("starts only one request while the client reads nothing, and the rest afterwards", () =>
    Effect.gen(function* () {
      const { seen, socket } = yield* askingMuch
      yield* aWhile
      assert.strictEqual(seen.begun, 1)
      let received = 0
      socket.on("data", (bytes) => {
        received += bytes.length
      })
      yield* until(() => received >= 20 * large.length)
      assert.strictEqual(seen.begun, 20)
    }).pipe(Effect.scoped)
  )

  it.live("does not keep a response in memory after it was sent", () =>
    Effect.gen(function* () {
      const { port, seen } = yield* countingWith(answerHolding)
      const before = bytesInUse()
      for (let count = 0; count < 40; count += 1) {
        const socket = yield* connecting(port)
        socket.resume().write(requestText)
      }
      yield* until(() => seen.sent === 40)
      assert.isBelow(bytesInUse() - before, 10 * 1_048_576)
    }).pipe(Effect.scoped)
  )

  it.live("starts no more requests after it is closed", () =>
    Effect.gen(function* () {
      const { seen, socket } = yield* askingMuch
      socket.destroy()
      yield* aWhile
      assert.strictEqual(seen.begun, 1)
    }).pipe(Effect.scoped)
  )

  it.live(
    "is closed after the first responses if its client sends many requests without waiting",
    () =>
      Effect.gen(function* () {
        const seen = yield* opened
        seen.socket.write(requestText.repeat(1_000))
        yield* until(() => seen.isClosed)
        const answers = readAnswers(seen.text)
        assert.strictEqual(answers.length, waitingMax + 1)
        assert.strictEqual(answers.at(-1)?.headers.connection, "close")
        assert.isTrue(answers.every(({ status }) => status === 200))
      }).pipe(Effect.scoped, Effect.provide(serving()))
  )

  it.live("is refused while its address has too many other connections", () =>
    Effect.gen(function* () {
      const kept = yield* Effect.replicateEffect(opened, 3)
      for (const { socket } of kept) socket.write(requestText)
      yield* until(() => kept.every(({ text }) => text.includes("HTTP/1.1 200 ")))
      const fourth = yield* opened
      yield* until(() => fourth.isClosed)
      assert.deepStrictEqual(
        readAnswers(fourth.text).map(({ body, status }) => [status, body]),
        [[429, '{"detail":"Too many connections"}']]
      )
      kept[0]?.socket.destroy()
      const answered = Effect.gen(function* () {
        const next = yield* opened
        next.socket.write(requestText)
        yield* until(() => next.text !== "" || next.isClosed)
        return next.text.includes("HTTP/1.1 200 ")
      })
      yield* Effect.repeat(answered, { until: (isAnswered) => isAnswered })
    }).pipe(Effect.scoped, Effect.provide(serving({ VERBATIM_CONNECTIONS_PER_ADDRESS: "3" })))
  )

  it.live("gets a response and leaks no descriptor if its client requests another protocol", () =>
    Effect.gen(function* () {
      const address = yield* port
      const upgrade = [
        "GET / HTTP/1.1",
        "Host: localhost",
        "Connection: upgrade",
        "Upgrade: x",
        "",
        ""
      ].join("\r\n")
      const before = readdirSync("/dev/fd").length
      for (let count = 0; count < 100; count += 1) {
        yield* Effect.promise(async () => {
          const socket = connect(address, "127.0.0.1").on("error", () => undefined)
          socket.write(upgrade)
          const [answer] = await once(socket, "data")
          assert.match(String(answer), /^HTTP\/1.1 200 /)
          // Node must not have read the bytes that are meant for the other protocol.
          socket.end("x")
          socket.resume()
          await once(socket, "close")
        })
      }
      yield* until(() => readdirSync("/dev/fd").length <= before + 5)
    }).pipe(Effect.scoped, Effect.provide(serving()))
  )
})
