/**
 * Tests that an OpenAI-compatible call ends if its key is revoked while it waits for a job. No
 * worker runs, so the job never ends.
 */
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ApiKeys } from "@verbatim/core/services"
import { Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Deployment, keys, layer } from "../Deployment.ts"

/** Waits until the network has delivered data. */
const turn = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 1)))

/** Sends a recording, and returns the response with its whole body. */
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

/**
 * Advances the clock until a call gets a response. After an hour, the response would say that the
 * job is still running.
 */
const advanceUntilAnswered = Effect.fnUntraced(function* (sent: Fiber.Fiber<unknown>) {
  while (sent.pollUnsafe() === undefined) {
    yield* TestClock.adjust("5 seconds")
    yield* turn
  }
})

describe("a call whose key is revoked", () => {
  for (const stream of ["false", "true"] as const) {
    it.effect(`ends soon, with stream=${stream}`, () =>
      Effect.gen(function* () {
        const sent = yield* Effect.forkChild(send(stream))
        yield* awaitJobs(1)
        yield* revokeKey(keys.inference)
        yield* advanceUntilAnswered(sent)
        const { response, text } = yield* Fiber.join(sent)
        assert.strictEqual(response.status, stream === "true" ? 200 : 401)
        assert.isNotNull(response.headers.get("x-verbatim-job-id"))
        assert.include(text, '"code":"invalid_api_key"')
        assert.strictEqual(text.includes("event: error"), stream === "true")
      }).pipe(Effect.scoped, Effect.provide(layer()), Effect.provide(NodeServices.layer))
    )
  }
})
