/** Tests compression of long responses over real HTTP. */
import { assert, layer } from "@effect/vitest"
import { jobId, largeTranscript, transcript } from "@verbatim/testkit/samples"
import { Deferred, Effect, Option } from "effect"
import * as Deployment from "./Deployment.ts"
import { transcribed as makeTranscribed } from "./TranscribedJob.ts"

const { inference, management } = Deployment.keys

/**
 * Numbers of the jobs in this file: one has a short transcript, one has a longer transcript that is
 * sent whole, and one has a transcript that is streamed.
 */
const short = 1
const whole = 2
const pieces = 3

const transcripts = new Map([
  [short, transcript],
  [whole, largeTranscript(30_000)],
  [pieces, largeTranscript(1_500_000)]
])

const transcribed = (number: number) =>
  makeTranscribed(number, transcripts.get(number) ?? transcript)

/** Requests a response in one encoding. `fetch` decodes the body and keeps the headers. */
const sendRequest = (path: string, encoding: "gzip" | "identity", call: Deployment.Call = {}) =>
  Effect.flatMap(Deployment.Deployment, (deployment) =>
    deployment.call(path, {
      key: inference,
      ...call,
      headers: { ...call.headers, "accept-encoding": encoding }
    })
  )

const statusOf = (number: number) => `/v1/status/${jobId(number)}`

/** Returns the encoding and the `Vary` header of a response. */
const encodingOf = ({ headers }: Deployment.Answer) => [
  headers.get("content-encoding"),
  headers.get("vary")
]

const never = [null, null]

layer(Deployment.layer(), { excludeTestServices: true })("a compressed response", (it) => {
  for (const path of [
    statusOf(pieces),
    ...["", "/plain_text", "/srt", "/vtt", "/word_json"].map((form) => statusOf(whole) + form)
  ]) {
    it.effect(`has the same text as the uncompressed response: ${path}`, () =>
      Effect.gen(function* () {
        yield* transcribed(whole)
        yield* transcribed(pieces)
        const plain = yield* sendRequest(path, "identity")
        const packed = yield* sendRequest(path, "gzip")
        assert.deepStrictEqual([plain.status, packed.status], [200, 200])
        assert.deepStrictEqual(encodingOf(packed), ["gzip", "Accept-Encoding"])
        assert.deepStrictEqual(encodingOf(plain), [null, "Accept-Encoding"])
        assert.strictEqual(packed.headers.get("content-type"), plain.headers.get("content-type"))
        // The test uses `isTrue`, because a failed `strictEqual` would print megabytes.
        assert.isTrue(packed.text === plain.text)
      })
    )
  }

  it.effect("is sent only if the response is long", () =>
    Effect.gen(function* () {
      yield* transcribed(short)
      const answer = yield* sendRequest(statusOf(short), "gzip")
      assert.deepStrictEqual(encodingOf(answer), [null, "Accept-Encoding"])
    })
  )

  it.effect("is never sent with an entity tag, from a direct route, or without a key", () =>
    Effect.gen(function* () {
      const body = JSON.stringify({ model: "m", input: "", instructions: "a".repeat(20_000) })
      const headers = { "content-type": "application/json" }
      const path = "/v1/presets/tagged"
      const answers = [
        yield* sendRequest(`${path}/responses`, "gzip", { key: management, headers, body }),
        yield* sendRequest(path, "gzip"),
        yield* sendRequest("/openapi.json", "gzip")
      ]
      for (const answer of answers) {
        assert.strictEqual(answer.status, 200)
        assert.isAbove(answer.text.length, 4_096)
        assert.deepStrictEqual(encodingOf(answer), never)
      }
      assert.strictEqual(encodingOf(yield* sendRequest(`${path}/versions`, "gzip"))[0], "gzip")
    })
  )
})

/** A store with an endless transcript. `gone` completes when its reader disconnects. */
const gone = Deferred.makeUnsafe<void>()
const endless = Deployment.layer({
  jobStore: (store) => ({
    ...store,
    transcriptPart: (id, before) =>
      Option.isSome(before)
        ? Effect.onInterrupt(Effect.never, () => Deferred.succeed(gone, undefined))
        : store.transcriptPart(id, before)
  })
})

layer(endless, { excludeTestServices: true })("an abandoned compressed response", (it) => {
  it.effect("stops being generated when its client disconnects", () =>
    Effect.gen(function* () {
      yield* transcribed(pieces)
      const { port } = yield* Deployment.Deployment
      yield* Effect.promise(async () => {
        const controller = new AbortController()
        const { body, headers } = await fetch(`http://127.0.0.1:${port}${statusOf(pieces)}`, {
          headers: { authorization: `Bearer ${inference}`, "accept-encoding": "gzip" },
          signal: controller.signal
        })
        assert.strictEqual(headers.get("content-encoding"), "gzip")
        await body?.getReader().read()
        controller.abort()
      })
      yield* Deferred.await(gone)
    })
  )
})
