import { assert, layer } from "@effect/vitest"
import { output } from "@verbatim/core/rendering"
import { jobId, largeTranscript, transcript } from "@verbatim/testkit/samples"
import { Effect, Exit } from "effect"
import * as Deployment from "./Deployment.ts"
import { losing, transcribed } from "./TranscribedJob.ts"

const { inference, management } = Deployment.keys

const long = largeTranscript(1_000_000)

const statusOf = Effect.fnUntraced(function* (number: number, method = "GET") {
  const { call } = yield* Deployment.Deployment
  return yield* call(`/v1/status/${jobId(number)}`, { key: inference, method })
})

layer(Deployment.layer(), { excludeTestServices: true })("a response", (it) => {
  it.effect("declares no Content-Length if it is long", () =>
    Effect.gen(function* () {
      yield* transcribed(1, long)
      const { headers, status, text } = yield* statusOf(1)
      assert.strictEqual(status, 200)
      assert.isNull(headers.get("content-length"))
      assert.strictEqual(headers.get("content-type"), "application/json")
      // The test uses `isTrue`, because a failed `strictEqual` would print megabytes.
      const { output: shown, ...view } = JSON.parse(text)
      assert.isTrue(JSON.stringify(shown) === JSON.stringify(output(long)))
      assert.isTrue(text === JSON.stringify({ ...view, output: shown }))
    })
  )

  it.effect("declares its Content-Length if it is short", () =>
    Effect.gen(function* () {
      yield* transcribed(2, transcript)
      const { headers, text } = yield* statusOf(2)
      assert.strictEqual(headers.get("content-length"), String(Buffer.byteLength(text)))
      const head = yield* statusOf(2, "HEAD")
      assert.strictEqual(head.headers.get("content-length"), headers.get("content-length"))
    })
  )

  it.effect("can contain versions that are too large to be held in memory at once", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const instructions = ["a", "b", "c"].map((letter) => letter.repeat(200_000))
      for (const each of instructions) {
        const body = JSON.stringify({ model: "m", input: "", instructions: each })
        const headers = { "content-type": "application/json" }
        yield* call("/v1/presets/long/responses", { key: management, headers, body })
      }
      const { headers, text } = yield* call("/v1/presets/long/versions", { key: inference })
      assert.isNull(headers.get("content-length"))
      const { data, total_count } = JSON.parse(text)
      assert.strictEqual(total_count, 3)
      assert.isTrue(
        data.every(
          ({ system_prompt }: { readonly system_prompt: string }, index: number) =>
            system_prompt === instructions[index]
        )
      )
    })
  )
})

layer(losing, { excludeTestServices: true })("a long response about a deleted job", (it) => {
  it.effect("breaks the connection, so that clients notice that the response is incomplete", () =>
    Effect.gen(function* () {
      yield* transcribed(1, long)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(statusOf(1))))
    })
  )
})
