/** What passes to the API, and for how long its answer is sent. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import * as Gate from "#src/Gate"
import { Sessions } from "#src/Sessions"

const noSessions = Layer.succeed(Sessions, {
  open: () => Effect.succeed(undefined),
  find: () => Effect.succeed(undefined),
  close: () => Effect.void
})

/** Something is told every ten seconds, and nothing ends it. */
const endless = (contentType: string) =>
  HttpServerResponse.stream(Stream.encodeText(Stream.map(Stream.tick("10 seconds"), () => ".")), {
    contentType
  })

/** A host whose mind a test changes, and which has decided before it gives an effect. */
const makeHost = (access: Gate.Access) => {
  const host = { access, asked: 0 }
  const authorize = () => {
    host.asked += 1
    return Effect.succeed(host.access)
  }
  return Object.assign(host, { authorize })
}

/** What is sent by leave of a host, and how it ends. */
const send = Effect.fnUntraced(function* (
  { authorize }: ReturnType<typeof makeHost>,
  contentType: string
) {
  const pass = yield* Gate.make({ prefix: "/console", api: "", authorize })
  const request = new Request("http://host.test/console/api/v1/transcriptions/events")
  const response = yield* pass(Effect.succeed(endless(contentType))).pipe(
    Effect.provideService(
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(request).modify({ url: "/console/api/v1/transcriptions/events" })
    )
  )
  const { body } = response
  const stream = body._tag === "Stream" ? body.stream : Stream.empty
  return yield* Effect.forkChild(Effect.exit(Stream.runDrain(stream)))
}, Effect.provide(noSessions))

describe("a stream to somebody whom a host lets look", () => {
  it.effect("goes on while the host says so, and ends within half a minute", () =>
    Effect.gen(function* () {
      const host = makeHost("read")
      const fiber = yield* send(host, "text/event-stream")
      yield* TestClock.adjust("5 minutes")
      assert.isUndefined(fiber.pollUnsafe())
      assert.isAtLeast(host.asked, 10)
      host.access = "none"
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Success")
    })
  )

  it.effect("breaks off where a part would look like the whole", () =>
    Effect.gen(function* () {
      const host = makeHost("write")
      const fiber = yield* send(host, "audio/wav")
      host.access = "none"
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Failure")
    })
  )
})
