/** Tests that a key can have a few unread responses without delaying other keys. */
import { type IncomingMessage, request } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { AnswerLimits } from "#src/serve/auth/KeyShare"
import * as Deployment from "./Deployment.ts"
import { mebibyte } from "./Sockets.ts"

const { inference, management } = Deployment.keys

/** Each response shows both versions, which have 4 MB in total: more than a socket buffers. */
const path = "/v1/presets/big/diff?from=1&to=2"

const storeVersions = Effect.gen(function* () {
  const { call } = yield* Deployment.Deployment
  for (const letter of ["x", "y"]) {
    const body = JSON.stringify({ model: "m", instructions: letter.repeat(1_990_000) })
    const headers = { "content-type": "application/json" }
    const { status } = yield* call("/v1/presets/big/responses", { key: management, headers, body })
    assert.strictEqual(status, 200)
  }
})

/** Sends a request on its own connection, without reading the response. */
const sendRequest = (port: number, answered: Array<IncomingMessage>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const headers = { authorization: `Bearer ${inference}`, connection: "close" }
      const sent = request({ host: "127.0.0.1", port, path, headers, agent: false })
      sent.on("response", (answer) => {
        answer.on("error", () => undefined)
        // On a busy machine, a request can be refused before the budget is full.
        if (answer.statusCode === 200) answered.push(answer)
      })
      return sent.on("error", () => undefined).end()
    }),
    (sent) => Effect.sync(() => sent.destroy())
  )

const until = (condition: () => boolean) =>
  Effect.repeat(Effect.sleep("5 millis"), { until: condition })

const requestCount = 40

/** Four responses use up the key's budget. While nothing is reserved, sixteen requests can run. */
const answeredMax = 20

const requestAll = Effect.gen(function* () {
  const { port } = yield* Deployment.Deployment
  const answered: Array<IncomingMessage> = []
  yield* storeVersions
  for (let count = 0; count < requestCount; count += 1) yield* sendRequest(port, answered)
  yield* until(() => answered.length >= 4)
  return answered
})

layer(Deployment.layer(), { excludeTestServices: true })("unread responses", (it) => {
  it.effect("delay requests with the same key, but not with other keys", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const answered = yield* requestAll
      for (let count = 0; count < 20; count += 1) {
        const { status } = yield* call("/v1/presets", { key: management })
        assert.strictEqual(status, 200)
      }
      assert.isAtMost(answered.length, answeredMax)
      // When a response was read or its client has disconnected, the budget is free for another
      // response.
      let next = 0
      while (answered.length < requestCount) {
        yield* until(() => answered.length > next)
        const one = answered[next]
        if (next % 2 === 0) one?.resume()
        else one?.destroy()
        next += 1
      }
      for (const one of answered) one.destroy()
      const { status, text } = yield* call(path, { key: inference })
      assert.strictEqual(status, 200)
      assert.isAbove(text.length, 3_900_000)
    }).pipe(Effect.scoped)
  )
})

const impatient = Layer.succeed(AnswerLimits, {
  reservedBytes: mebibyte,
  maxKeyBytes: 16 * mebibyte,
  maxTotalBytes: 128 * mebibyte,
  patience: Duration.millis(200)
})

const inVain = Deployment.layer().pipe(Layer.provide(impatient))

layer(inVain, { excludeTestServices: true })("a request that waits too long", (it) => {
  it.effect("is refused with Retry-After before the server does any work for it", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      yield* requestAll
      const { headers, status, text } = yield* call("/v1/presets", { key: inference })
      assert.deepStrictEqual([status, headers.get("retry-after")], [429, "1"])
      assert.deepStrictEqual(JSON.parse(text), {
        error: { code: 429, message: "Too many requests at the same time" },
        gateway_metadata: null,
        user_id: null
      })
    }).pipe(Effect.scoped)
  )
})
