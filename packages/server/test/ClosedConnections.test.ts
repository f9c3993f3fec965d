/**
 * Tests that the listener closes every connection, and which response its client gets before that.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { connect } from "node:net"
import { Readable } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { waitingMax } from "#src/listener/SequentialServer"
import { listening, opened, readAnswers, serving, until } from "./Serving.ts"

const idleTimeout = 300

/** Limits with much shorter timeouts than in production. */
const limits = {
  idleTimeout,
  textTimeout: 400,
  headersTimeout: 400,
  requestTimeout: 800,
  keepAliveTimeout: 1_000,
  answerTimeout: 3_000,
  connectionsCheckingInterval: 100
}

/** A response that exceeds the buffers of two sockets. */
const large = Buffer.alloc(32 * 1_048_576, "x")

const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "/large": (response) => response.end(large),
  "/late": (response) => setTimeout(() => response.end("late"), 3 * idleTimeout),
  "/never": () => undefined,
  "/slow": (response) => setTimeout(() => response.end("slow"), 100),
  "/long": (response) => {
    response.setHeader("content-length", large.length)
    Readable.from(
      (function* () {
        for (let at = 0; at < large.length; at += 65_536) yield large.subarray(at, at + 65_536)
      })()
    ).pipe(response)
  }
}

const handle = (request: IncomingMessage, response: ServerResponse): void => {
  request.on("error", () => undefined)
  request.on("end", () => (answers[request.url ?? ""] ?? (() => response.end("ok")))(response))
  request.resume()
}

/** Connects a client, and shows whether the listener still has the connection. */
const connected = Effect.gen(function* () {
  const { port, server } = yield* listening(handle, limits)
  const seen = { isClosed: false, length: 0, text: "" }
  server.once("connection", (socket) => {
    socket.once("close", () => {
      seen.isClosed = true
    })
  })
  const socket = yield* Effect.acquireRelease(
    Effect.sync(() => connect(port, "127.0.0.1").on("error", () => undefined)),
    (socket) => Effect.sync(() => socket.destroy())
  )
  const read = () =>
    socket.on("data", (piece) => {
      seen.length += piece.length
      if (seen.text.length < 1_048_576) seen.text += piece
    })
  return { read, seen, socket }
})

const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`

const head = "POST /p HTTP/1.1\r\nHost: x\r\n"

const unfinished = `${head}Content-Length: 13\r\n\r\n{"mo`

const connecting = "CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n"

const statuses = (text: string) => readAnswers(text).map(({ status }) => status)

const ok = (count: number) => Array.from({ length: count }, () => 200)

describe("a connection with an unfinished request", () => {
  it.live.each([0, 1, waitingMax - 1, waitingMax])("is closed after %d responses", (count) =>
    Effect.gen(function* () {
      const { read, seen, socket } = yield* connected
      read()
      socket.write(get("/").repeat(count) + unfinished)
      yield* until(() => seen.isClosed)
      assert.deepStrictEqual(statuses(seen.text), [...ok(count), 408])
    }).pipe(Effect.scoped)
  )
})

describe("an unused connection", () => {
  it.live("stays open exactly as long as its response announces", () =>
    Effect.gen(function* () {
      const { read, seen, socket } = yield* connected
      read()
      socket.write(get("/"))
      yield* until(() => seen.text !== "")
      const [first] = readAnswers(seen.text)
      assert.strictEqual(first?.headers["keep-alive"], `timeout=${limits.keepAliveTimeout / 1_000}`)
      yield* until(() => seen.isClosed)
      assert.deepStrictEqual(statuses(seen.text), [200])
    }).pipe(Effect.scoped)
  )

  it.live("stays open longer than load balancers keep it", () =>
    Effect.gen(function* () {
      const seen = yield* opened
      seen.socket.write(get("/health"))
      yield* until(() => seen.text !== "")
      assert.strictEqual(readAnswers(seen.text)[0]?.headers["keep-alive"], "timeout=65")
    }).pipe(Effect.scoped, Effect.provide(serving()))
  )
})

describe("a connection whose client waits for a response", () => {
  it.live("stays open until the response, even if timeouts expire before it", () =>
    Effect.gen(function* () {
      const { read, seen, socket } = yield* connected
      read()
      socket.write(get("/late") + get("/late", "Connection: close\r\n"))
      yield* until(() => seen.isClosed)
      assert.deepStrictEqual(
        readAnswers(seen.text).map(({ body }) => body),
        ["late", "late"]
      )
    }).pipe(Effect.scoped)
  )

  const refused = [
    [400, "bytes that are not HTTP", "GARBAGE\r\n\r\n"],
    [400, "a tunnel", connecting],
    [408, "the beginning of a request", "GET /x HTTP/1.1\r\nHo"]
  ] as const

  it.live.each(refused)(
    "gets a %d after its response if the client then sends %s",
    ([status, , text]) =>
      Effect.gen(function* () {
        const { read, seen, socket } = yield* connected
        read()
        socket.write(get("/late") + text)
        yield* until(() => seen.isClosed)
        assert.deepStrictEqual(statuses(seen.text), [200, status])
      }).pipe(Effect.scoped)
  )

  it.live("is closed if no response begins within the time limit", () =>
    Effect.gen(function* () {
      const { read, seen, socket } = yield* connected
      read()
      socket.write(get("/never"))
      yield* until(() => seen.isClosed)
      assert.strictEqual(seen.text, "")
    }).pipe(Effect.scoped)
  )
})

describe("a connection whose client does not read", () => {
  const followers = [
    ["nothing", ""],
    ["a whole request", get("/")],
    ["an unfinished request", unfinished],
    ["bytes that are not HTTP", "GARB\r\n\r\n"],
    ["a tunnel", connecting]
  ] as const

  it.live.each(followers)("is closed if the client then sends %s", ([, next]) =>
    Effect.gen(function* () {
      const { seen, socket } = yield* connected
      socket.write(get("/large") + next)
      yield* until(() => seen.isClosed)
    }).pipe(Effect.scoped)
  )
})

describe("a tunnel", () => {
  it.live("is refused only after the response to the previous request", () =>
    Effect.gen(function* () {
      const { read, seen, socket } = yield* connected
      read()
      socket.write(get("/slow") + get("/") + connecting)
      yield* until(() => seen.isClosed)
      assert.deepStrictEqual(
        readAnswers(seen.text).map(({ body, status }) => [status, body]),
        [
          [200, "slow"],
          [200, "ok"],
          [400, '{"detail":"Invalid request: its method is unknown"}']
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.live("does not cut off the long response to a previous request", () =>
    Effect.gen(function* () {
      const { read, seen, socket } = yield* connected
      read()
      socket.write(get("/long") + connecting)
      yield* until(() => seen.isClosed)
      assert.isAbove(seen.length, large.length)
    }).pipe(Effect.scoped)
  )
})
