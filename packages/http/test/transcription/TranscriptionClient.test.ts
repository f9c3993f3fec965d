import { assert, layer } from "@effect/vitest"
import { ApiKeys } from "@verbatim/core/services"
import * as Client from "@verbatim/http/client"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { file, form } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { states, store } from "./JobStates.ts"

const key = Redacted.make(Deployment.keys.inference)

const client = Effect.gen(function* () {
  const { port } = yield* Deployment.Deployment
  return yield* Client.make({ baseUrl: `http://127.0.0.1:${port}`, key })
}).pipe(Effect.provide(FetchHttpClient.layer))

const url = "https://media.example.com/a.mp3"

const idOf = (transcription: string, delivery: string) =>
  states.find((state) => state.transcription === transcription && state.delivery === delivery)
    ?.id ?? ""

layer(Deployment.layer(), { excludeTestServices: true })("the client of transcriptions", (it) => {
  it.effect("submits a url in JSON, in a form, and in a form with files", () =>
    Effect.gen(function* () {
      const { transcription } = yield* client
      const headers = { "idempotency-key": "one-job" }
      const texts = [
        ["url", url],
        ["vad_filter", "false"],
        ["callback_id", "é"]
      ] as const
      const asked = { url, callback_id: "é" }
      const made = [
        yield* transcription.create({ headers, payload: { ...asked, vad_filter: false } }),
        yield* transcription.create({ headers, payload: { ...asked, vad_filter: "false" } }),
        yield* transcription.create({ headers, payload: form(texts) })
      ]
      for (const job of made) assert.deepStrictEqual(job, made[0])
      assert.deepInclude(made[0], { status: "ACCEPTED", callback_id: "é" })
      const other = yield* Effect.flip(transcription.create({ headers, payload: { url } }))
      assert.deepStrictEqual(other, {
        status: 409,
        detail: "Idempotency-Key was already used with another request"
      })
    })
  )

  it.effect("gets every refusal with its status", () =>
    Effect.gen(function* () {
      const { transcription } = yield* client
      const refuse = (payload: FormData) =>
        Effect.flip(transcription.create({ headers: {}, payload }))
      assert.deepStrictEqual(yield* refuse(form([["language", "en"]])), {
        status: 400,
        detail: "File or URL required"
      })
      assert.deepStrictEqual(yield* refuse(form([["file", file("a.txt")]])), {
        status: 415,
        detail: "Unsupported file extension: .txt"
      })
      assert.deepStrictEqual(
        yield* refuse(form([["url", "https://media.example.com/large.mp3"]])),
        {
          status: 413,
          detail: `File size exceeds ${Deployment.fileMegabytesMax}MB limit`
        }
      )
    })
  )

  it.effect("refuses by itself what the description excludes", () =>
    Effect.gen(function* () {
      const { transcription } = yield* client
      const payload = { url, callback_id: " a" }
      const error = yield* Effect.flip(transcription.create({ headers: {}, payload }))
      assert.include(String(error), "callback_id")
    })
  )

  it.effect("reads every form of a transcript as it was sent", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const keys = yield* ApiKeys
      yield* store((yield* keys.authenticate(key)).workspaceId)
      const { transcription } = yield* client
      const id = idOf("Transcribed", "Delivered")
      for (const modifier of [
        "paragraph_json",
        "plain_json",
        "word_json",
        "paragraph_text",
        "plain_text",
        "srt",
        "vtt"
      ]) {
        const result = yield* transcription.result({ params: { id, modifier } })
        const { text } = yield* call(`/v1/status/${id}/${modifier}`, {
          key: Deployment.keys.inference
        })
        assert.strictEqual(typeof result === "string" ? result : JSON.stringify(result), text)
      }
      const params = { id: idOf("Broken", "-"), modifier: "srt" }
      const missing = yield* Effect.flip(transcription.result({ params }))
      assert.deepStrictEqual(missing, { status: 500, detail: "Transcription result not found" })
    })
  )

  it.effect("lists jobs page by page, and filters them", () =>
    Effect.gen(function* () {
      const { jobs } = yield* client
      const first = yield* jobs.list({ query: { limit: "2" } })
      const second = yield* jobs.list({ query: { limit: "2", cursor: first.next_cursor ?? "" } })
      const failed = yield* jobs.list({ query: { status: "WEBHOOK_FAILED" } })
      const none = yield* Effect.flip(jobs.list({ query: { limit: "0" } }))
      assert.strictEqual(first.data.length + second.data.length, 4)
      assert.strictEqual(first.data.at(-1)?.id, first.next_cursor)
      assert.isTrue(failed.data.every(({ webhook_status }) => webhook_status === "FAILED"))
      assert.strictEqual(failed.data[0]?.created_at, "2025-01-02T03:04:05.678Z")
      assert.deepStrictEqual(none, {
        status: 400,
        detail: "Invalid 'limit' value. Must be an integer from 1 to 100"
      })
    })
  )

  it.effect("delivers again, reads the history, and deletes", () =>
    Effect.gen(function* () {
      const { jobs, transcription } = yield* client
      const params = { id: idOf("Transcribed", "Failed") }
      const job = yield* jobs.redeliver({ params })
      const pending = yield* Effect.flip(jobs.redeliver({ params }))
      const { events, id } = yield* jobs.history({ params })
      assert.deepInclude(job, { status: "TRANSCRIBED", webhook_status: "PENDING" })
      assert.deepStrictEqual(pending, { status: 409, detail: "The webhook is still pending" })
      assert.strictEqual(id, params.id)
      assert.strictEqual(events.at(-1)?.event, "redelivery_requested")

      yield* jobs.remove({ params })
      const gone = [
        yield* Effect.flip(transcription.status({ params, query: {} })),
        yield* Effect.flip(jobs.history({ params })),
        yield* Effect.flip(jobs.redeliver({ params })),
        yield* Effect.flip(jobs.remove({ params }))
      ]
      for (const error of gone) {
        assert.deepStrictEqual(error, { status: 404, detail: "Request not found" })
      }
    })
  )
})
