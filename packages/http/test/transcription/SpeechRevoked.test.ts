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
const send = (stream: "true" | "false", key: string = keys.inference) =>
  Effect.flatMap(Deployment, ({ port }) =>
    Effect.promise(async () => {
      const body = new FormData()
      body.set("model", "whisper-1")
      body.set("stream", stream)
      body.set("file", new File([`a recording of ${key}`], "meeting.wav"))
      const headers = { authorization: `Bearer ${key}` }
      const url = `http://127.0.0.1:${port}/v1/audio/transcriptions`
      const response = await fetch(url, { method: "POST", headers, body })
      return { response, text: await response.text() }
    })
  )

const awaitJobs = Effect.fnUntraced(function* (count: number) {
  const { call } = yield* Deployment
  const list = call("/v1/transcriptions", { key: keys.inference })
  while ((yield* list).text.split('"id"').length <= count) yield* turn
})

const revokeKey = Effect.fnUntraced(function* (key: string) {
  const { authenticate, revoke } = yield* ApiKeys
  const { keyId } = yield* authenticate(Redacted.make(key))
  assert(keyId !== undefined)
  yield* revoke(keyId)
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
        const sent = yield* Effect.forkChild(send(stream))
        yield* awaitJobs(1)
        yield* revokeKey(keys.inference)
        yield* untilAnswered(sent)
        const { response, text } = yield* Fiber.join(sent)
        assert.strictEqual(response.status, stream === "true" ? 200 : 401)
        assert.isNotNull(response.headers.get("x-verbatim-job-id"))
        assert.include(text, '"code":"invalid_api_key"')
        assert.strictEqual(text.includes("event: error"), stream === "true")
      }).pipe(Effect.scoped, Effect.provide(layer()), Effect.provide(NodeServices.layer))
    )
  }

  it.effect("ends alone: one beside it, with another key, goes on waiting", () =>
    Effect.gen(function* () {
      const ended = yield* Effect.forkChild(send("false"))
      const other = yield* Effect.forkChild(send("false", keys.management))
      yield* awaitJobs(2)
      yield* revokeKey(keys.inference)
      yield* untilAnswered(ended)
      assert.strictEqual((yield* Fiber.join(ended)).response.status, 401)
      // As long again as it takes to see that a key has ended.
      for (let count = 0; count < 12; count += 1) {
        yield* TestClock.adjust("5 seconds")
        yield* turn
      }
      assert.isUndefined(other.pollUnsafe())
      yield* revokeKey(keys.management)
      yield* untilAnswered(other)
      assert.strictEqual((yield* Fiber.join(other)).response.status, 401)
    }).pipe(Effect.scoped, Effect.provide(layer()), Effect.provide(NodeServices.layer))
  )

  it.effect("is told nothing of keys where a host has none", () => {
    const host = startHost()
    return Effect.gen(function* () {
      const sent = yield* Effect.forkChild(send("false"))
      yield* awaitJobs(1)
      host.sessions.areOver = true
      yield* untilAnswered(sent)
      const { response, text } = yield* Fiber.join(sent)
      assert.strictEqual(response.status, 401)
      assert.include(text, "may not call any more")
      assert.notMatch(text.replace('"invalid_api_key"', ""), /key/i)
    }).pipe(Effect.scoped, Effect.provide(host.layer), Effect.provide(NodeServices.layer))
  })
})
