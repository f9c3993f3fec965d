/** What one operator key may have under way: its share is as large as that of any other key. */
import { request } from "node:http"
import { assert, layer } from "@effect/vitest"
import { KeyLimits } from "@verbatim/http"
import { Effect, Layer } from "effect"
import * as Deployment from "../Deployment.ts"
import { ask } from "./WorkspaceCalls.ts"

/** Begins to make a workspace, and leaves the body to nobody. */
const begin = Effect.gen(function* () {
  const { port } = yield* Deployment.Deployment
  const headers = {
    authorization: `Bearer ${Deployment.operatorKey}`,
    "content-type": "application/json",
    "content-length": "1000"
  }
  const begun = request({
    host: "127.0.0.1",
    port,
    method: "POST",
    path: "/v1/workspaces",
    headers
  })
  begun.on("error", () => {})
  begun.flushHeaders()
  return begun
})

/** Requests until one is answered as awaited; a few are enough where nothing is wrong. */
const askMax = 200

const askUntil = (status: number) =>
  Effect.repeat(ask({ path: "/workspaces" }), {
    until: (answer) => answer.status === status,
    times: askMax
  })

layer(Deployment.layer().pipe(Layer.provide(Layer.succeed(KeyLimits, { requestMax: 2 }))), {
  excludeTestServices: true
})("an operator key", (it) => {
  it.effect("has so many requests under way, and others are not held up", () =>
    Effect.gen(function* () {
      const kept = yield* Effect.replicateEffect(begin, 2)
      const { body, headers, status } = yield* askUntil(429)
      assert.strictEqual(status, 429)
      assert.strictEqual(headers.get("retry-after"), "1")
      assert.deepStrictEqual(body, {
        error: { code: 429, message: "Too many requests at the same time" },
        gateway_metadata: null,
        user_id: null
      })
      const { management } = Deployment.keys
      assert.strictEqual((yield* ask({ path: "/keys", key: management })).status, 200)
      for (const begun of kept) begun.destroy()
      assert.strictEqual((yield* askUntil(200)).status, 200)
    })
  )
})
