/** Tests concurrent requests with one key, over real sockets. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  inferenceKey,
  managementKey,
  opened,
  type RawAnswer,
  readAnswers,
  serving,
  until
} from "./Serving.ts"

const head = (line: string, key: string, ...more: ReadonlyArray<string>): string =>
  [`${line} HTTP/1.1`, "Host: localhost", `Authorization: Bearer ${key}`, ...more, "", ""].join(
    "\r\n"
  )

const begin = Effect.gen(function* () {
  const seen = yield* opened
  const form = "Content-Type: multipart/form-data; boundary=b"
  seen.socket.write(head("POST /v1/transcribe", inferenceKey, form, "Content-Length: 1000"))
  return seen
})

const sendRequest = Effect.fnUntraced(function* (line: string, key: string) {
  const seen = yield* opened
  seen.socket.write(head(line, key, "Connection: close"))
  yield* until(() => seen.isEnded || seen.isClosed)
  return readAnswers(seen.text)[0]
})

/** Repeats a request until its response is the expected one. */
const requestUntil = (is: (answer: RawAnswer | undefined) => boolean) =>
  Effect.repeat(sendRequest("GET /v1/transcriptions", inferenceKey), { until: is })

const presetBody = JSON.stringify({
  error: { code: 429, message: "Too many requests at the same time" },
  gateway_metadata: null,
  user_id: null
})

describe("a key", () => {
  it.live("can have a limited number of concurrent requests, and never delays other keys", () =>
    Effect.gen(function* () {
      const kept = yield* Effect.replicateEffect(begin, 2)
      const refused = yield* requestUntil((answer) => answer?.status === 429)
      assert.strictEqual(refused?.body, '{"detail":"Too many requests at the same time"}')
      assert.strictEqual(refused?.headers["retry-after"], "1")
      const preset = yield* sendRequest("GET /v1/presets", inferenceKey)
      assert.deepStrictEqual([preset?.status, preset?.body], [429, presetBody])
      assert.strictEqual((yield* sendRequest("GET /v1/presets", managementKey))?.status, 200)
      assert.strictEqual((yield* sendRequest("GET /v1/presets", "unknown"))?.status, 401)
      for (const { socket } of kept) socket.destroy()
      yield* requestUntil((answer) => answer?.status === 200)
    }).pipe(Effect.scoped, Effect.provide(serving({ VERBATIM_REQUESTS_PER_KEY: "2" })))
  )
})
