/**
 * Tests that every response has a request id: the client's own if it is safe to log, otherwise a
 * new one.
 */

import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type Call, Deployment, layer as deployment, keys } from "./Deployment.ts"
import { exchange } from "./Sockets.ts"

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const large: Call = {
  key: keys.inference,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ url: "https://media.example.com/large.mp3" })
}

/** Requests that get all kinds of responses, with the expected statuses. */
const calls: ReadonlyArray<readonly [status: number, path: string, call: Call]> = [
  [200, "/health", {}],
  [200, "/v1/presets", { key: keys.management }],
  [200, "/openapi.json", {}],
  [401, "/v1/presets", {}],
  [403, "/v1/transcriptions", {}],
  [404, "/nowhere", {}],
  [404, "/v1/status/none", { key: keys.inference }],
  [405, "/health", { method: "PUT" }],
  [413, "/v1/transcribe", large]
]

layer(deployment().pipe(Layer.provide(NodeServices.layer)))("a request id", (it) => {
  for (const [status, path, call] of calls) {
    const sendRequest = (sent?: string) =>
      Effect.gen(function* () {
        const headers = { ...call.headers, ...(sent === undefined ? {} : { "x-request-id": sent }) }
        const answer = yield* (yield* Deployment).call(path, { ...call, headers })
        assert.strictEqual(answer.status, status, answer.text)
        return answer.headers.get("x-request-id")
      })

    it.effect(`is in a response with status ${status}: ${path}`, () =>
      Effect.gen(function* () {
        const own = "01J:abc_DEF-9.~@/+="
        assert.strictEqual(yield* sendRequest(own), own)
        const made = [yield* sendRequest(), yield* sendRequest()]
        assert.match(made[0] ?? "", uuid)
        assert.notStrictEqual(made[0], made[1])
      })
    )
  }

  it.effect("is in a refusal that is sent before the body is read", () =>
    Effect.gen(function* () {
      const { port } = yield* Deployment
      const answer = yield* exchange(port, [
        `POST /v1/transcribe HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${keys.inference}\r\n`,
        "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 900000000\r\n",
        "X-Request-Id: early\r\n\r\n"
      ])
      assert.match(answer, /^HTTP\/1.1 413 /)
      assert.match(answer, /x-request-id: early\r\n/i)
    })
  )

  for (const [what, sent] of [
    ["is too long", "x".repeat(129)],
    ["has a space", "a b"],
    ["looks like a field of a log line", 'a"b'],
    ["is not ASCII", "\u00e9"]
  ] as const) {
    it.effect(`is chosen by the server if the client's id ${what}`, () =>
      Effect.gen(function* () {
        const { call } = yield* Deployment
        const answer = yield* call("/health", { headers: { "x-request-id": sent } })
        assert.match(answer.headers.get("x-request-id") ?? "", uuid)
      })
    )
  }
})
