/** What passes to the API, and for how long its answer is sent. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Ref, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import type { Access } from "#src/Access"
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

/** A host whose mind a test changes: what is sent, and how it ends. */
const send = Effect.fnUntraced(function* (access: Ref.Ref<Access>, contentType: string) {
  const asked = yield* Ref.make(0)
  const authorize = () =>
    Effect.andThen(
      Ref.update(asked, (count) => count + 1),
      Ref.get(access)
    )
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
  return { asked, fiber: yield* Effect.forkChild(Effect.exit(Stream.runDrain(stream))) }
}, Effect.provide(noSessions))

describe("a stream to somebody whom a host lets look", () => {
  it.effect("goes on while the host says so, and ends within half a minute", () =>
    Effect.gen(function* () {
      const access = yield* Ref.make<Access>("read")
      const { asked, fiber } = yield* send(access, "text/event-stream")
      yield* TestClock.adjust("5 minutes")
      assert.isUndefined(fiber.pollUnsafe())
      assert.isAtLeast(yield* Ref.get(asked), 10)
      yield* Ref.set(access, "none")
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Success")
    })
  )

  it.effect("breaks off where a part would look like the whole", () =>
    Effect.gen(function* () {
      const access = yield* Ref.make<Access>("write")
      const { fiber } = yield* send(access, "audio/wav")
      yield* Ref.set(access, "none")
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Failure")
    })
  )
})
