/** Tests which requests reach the API, and how long their responses continue. */
import { assert, describe, it } from "@effect/vitest"
import { ApiKeys, OperatorKeys, Workspaces } from "@verbatim/core/services"
import { Effect, Fiber, Layer, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import * as ApiProxy from "#src/ApiProxy"
import { Sessions } from "#src/Sessions"

const noSessions = Layer.mergeAll(
  Layer.succeed(Sessions, {
    open: () => Effect.succeed(undefined),
    find: () => Effect.succeed(undefined),
    close: () => Effect.void
  }),
  // Stands in for session keys, which a host with its own login does not use.
  Layer.mock(ApiKeys)({}),
  Layer.mock(OperatorKeys)({}),
  Layer.mock(Workspaces)({})
)

/** An endless stream with a chunk every ten seconds. */
const endless = (contentType: string) =>
  HttpServerResponse.stream(Stream.encodeText(Stream.map(Stream.tick("10 seconds"), () => ".")), {
    contentType
  })

/**
 * A host whose `authorize` result a test can change. The host decides before it returns an effect.
 */
const makeHost = (access: ApiProxy.Access) => {
  const host = { access, calls: 0 }
  const authorize = () => {
    host.calls += 1
    return Effect.succeed(host.access)
  }
  return Object.assign(host, { authorize })
}

/** Sends a stream that the host allows, and returns how it ends. */
const send = Effect.fnUntraced(function* (
  { authorize }: ReturnType<typeof makeHost>,
  contentType: string
) {
  const pass = yield* ApiProxy.make({ prefix: "/console", api: "", authorize })
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

describe("a stream that the host allows", () => {
  it.effect("ends within half a minute after the host stops allowing it, and not before", () =>
    Effect.gen(function* () {
      const host = makeHost("read")
      const fiber = yield* send(host, "text/event-stream")
      yield* TestClock.adjust("5 minutes")
      assert.isUndefined(fiber.pollUnsafe())
      assert.isAtLeast(host.calls, 10)
      host.access = "none"
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Success")
    })
  )

  it.effect(
    "fails instead of ending if clients could otherwise mistake part of it for the whole",
    () =>
      Effect.gen(function* () {
        const host = makeHost("write")
        const fiber = yield* send(host, "audio/wav")
        host.access = "none"
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual((yield* Fiber.join(fiber))._tag, "Failure")
      })
  )
})
