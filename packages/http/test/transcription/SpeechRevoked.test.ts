/** Calls in OpenAI's form whose key ends while they wait for their job, which nobody works on. */
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ApiKeys } from "@verbatim/core/services"
import { Authenticator, routes, Unauthenticated } from "@verbatim/http"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { HttpRouter } from "effect/http"
import { TestClock } from "effect/testing"
import { Deployment, keys, layer } from "../Deployment.ts"

/** What the network brings. */
const turn = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 1)))

/** Sends a recording, and gives the answer as it was read to its end. */
const send = (stream: "true" | "false") =>
  Effect.flatMap(Deployment, ({ port }) =>
    Effect.promise(async () => {
      const body = new FormData()
      body.set("model", "whisper-1")
      body.set("stream", stream)
      body.set("file", new File(["a recording"], "meeting.wav"))
      const headers = { authorization: `Bearer ${keys.inference}` }
      const url = `http://127.0.0.1:${port}/v1/audio/transcriptions`
      const response = await fetch(url, { method: "POST", headers, body })
      return { response, text: await response.text() }
    })
  )

const awaitJob = Effect.gen(function* () {
  const { call } = yield* Deployment
  while (!(yield* call("/v1/transcriptions", { key: keys.inference })).text.includes('"id"')) {
    yield* turn
  }
})

/** Lets time go by until a call is answered: after an hour it is told that its job still runs. */
const untilAnswered = Effect.fnUntraced(function* (sent: Fiber.Fiber<unknown>) {
  while (sent.pollUnsafe() === undefined) {
    yield* TestClock.adjust("5 seconds")
    yield* turn
  }
})

/** A host whose callers have sessions, and no keys: all of them at once, until they end. */
const startHost = () => {
  const sessions = { areOver: false }
  const authenticator = Layer.effect(
    Authenticator,
    Effect.map(ApiKeys, ({ authenticate }) => ({
      identify: () =>
        sessions.areOver
          ? Effect.fail(new Unauthenticated({ reason: "Unknown", sentence: "Not signed in" }))
          : Effect.orDie(authenticate(Redacted.make(keys.inference)))
    }))
  )
  const served = HttpRouter.serve(routes(), { disableLogger: true, disableListenLog: true })
  return { sessions, layer: layer({}, Layer.provide(served, authenticator)) }
}

describe("a call whose key is revoked", () => {
  for (const stream of ["false", "true"] as const) {
    it.effect(`waits no longer, stream=${stream}`, () =>
      Effect.gen(function* () {
        const { authenticate, revoke } = yield* ApiKeys
        const sent = yield* Effect.forkChild(send(stream))
        yield* awaitJob
        const { keyId } = yield* authenticate(Redacted.make(keys.inference))
        assert(keyId !== undefined)
        yield* revoke(keyId)
        yield* untilAnswered(sent)
        const { response, text } = yield* Fiber.join(sent)
        assert.strictEqual(response.status, stream === "true" ? 200 : 401)
        assert.isNotNull(response.headers.get("x-verbatim-job-id"))
        assert.include(text, '"code":"invalid_api_key"')
        assert.strictEqual(text.includes("event: error"), stream === "true")
      }).pipe(Effect.scoped, Effect.provide(layer()), Effect.provide(NodeServices.layer))
    )
  }

  it.effect("is told nothing of keys where a host has none", () => {
    const host = startHost()
    return Effect.gen(function* () {
      const sent = yield* Effect.forkChild(send("false"))
      yield* awaitJob
      host.sessions.areOver = true
      yield* untilAnswered(sent)
      const { response, text } = yield* Fiber.join(sent)
      assert.strictEqual(response.status, 401)
      assert.include(text, "may not call any more")
      assert.notMatch(text.replace('"invalid_api_key"', ""), /key/i)
    }).pipe(Effect.scoped, Effect.provide(host.layer), Effect.provide(NodeServices.layer))
  })
})
