/** Tests clients that keep sending after the response, over real sockets. */
import type { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Http from "@verbatim/http"
import { Duration, Effect, Layer } from "effect"
import { opened, serving } from "./Serving.ts"

/** In these tests, the time limit is this short instead of 30 seconds. */
const timeMax = Duration.millis(300)

/** A time longer than the listener's grace period. */
const grace = 2_500

/** A busy machine closes the connection later, so the test requires only that it is closed. */
const patience = "60 seconds"

const servingWithin = (maxTime: Duration.Duration) =>
  serving().pipe(Layer.provide(Layer.succeed(Http.UnreadLimits, { maxBytes: 1_048_576, maxTime })))

const drip = (socket: Socket, piece: string, millis: number): void => {
  const timer = setInterval(() => socket.write(piece), millis)
  socket.on("close", () => clearInterval(timer))
}

const head = (request: string, framing: string): string =>
  `${request} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wrong\r\n` +
  `Content-Type: multipart/form-data; boundary=b\r\n${framing}\r\n\r\n`

const upload = "POST /v1/transcribe"

/** Requests that never end, each with the status that it gets immediately. */
const endless: ReadonlyArray<readonly [what: string, head: string, piece: string, status: string]> =
  [
    ["uploads byte by byte", head(upload, "Content-Length: 1000000"), "x", "403"],
    ["uploads chunk by chunk", head(upload, "Transfer-Encoding: chunked"), "1\r\nx\r\n", "403"],
    [
      "sends a preset byte by byte",
      head("POST /v1/presets/a/responses", "Content-Length: 9999"),
      "x",
      "401"
    ],
    [
      "sends a body to an unknown path",
      head("POST /nowhere", "Content-Length: 1000000"),
      "x",
      "404"
    ],
    ["sends a body that is not read", head("GET /health", "Content-Length: 1000000"), "x", "200"]
  ]

describe("a client that keeps sending", () => {
  it.live.each(endless)(
    "gets a response and is then disconnected if it %s",
    ([, request, piece, status]) =>
      Effect.gen(function* () {
        const seen = yield* opened
        seen.socket.write(request)
        drip(seen.socket, piece, 20)
        yield* Effect.sleep(20).pipe(
          Effect.repeat({ until: () => seen.isClosed }),
          Effect.timeoutOption(patience)
        )
        assert.match(seen.text, new RegExp(`^HTTP/1.1 ${status} `))
        assert.isTrue(seen.isClosed)
      }).pipe(Effect.scoped, Effect.provide(servingWithin(timeMax)))
  )

  it.live("keeps the connection if the rest of the request arrives soon enough", () =>
    Effect.gen(function* () {
      const seen = yield* opened
      for (const round of [1, 2, 3]) {
        seen.socket.write(head(upload, "Content-Length: 200000"))
        for (let sent = 0; sent < 10; sent += 1) {
          yield* Effect.sleep(10)
          seen.socket.write("x".repeat(20_000))
        }
        const answers = () => seen.text.split("HTTP/1.1 403 ").length - 1
        yield* Effect.repeat(Effect.sleep(20), {
          until: () => seen.isClosed || answers() === round
        })
        yield* Effect.sleep(100)
      }
      yield* Effect.sleep(grace)
      assert.isFalse(seen.isClosed)
      // The time limit is a minute, because a busy machine is slow to send.
    }).pipe(Effect.scoped, Effect.provide(servingWithin(Duration.minutes(1))))
  )
})
