/** Tests the npm package `openai` with Verbatim's server. Only the base URL is changed. */
import { Failure } from "@verbatim/core/attempt"
import { AudioDecoderError, TranscriberError } from "@verbatim/core/ports"
import { calmScript } from "@verbatim/testkit/fakes"
import { Effect } from "effect"
import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError
} from "openai"
import type { TranscriptionStreamEvent } from "openai/resources/audio/transcriptions"
import { assert, describe, it } from "vitest"
import { apiKey, recording, useServer } from "./ServedSpeech.ts"

const server = useServer()
const client = () => new OpenAI({ apiKey, baseURL: server().baseUrl })

/** Each test has a different recording, so that no two tests share a job. */
let serial = 0
const fresh = () => {
  serial += 1
  return recording(`recording ${serial}`)
}

const failure = async (going: Promise<unknown>): Promise<APIError> => {
  const error: unknown = await going.then(
    () => undefined,
    (reason: unknown) => reason
  )
  assert.instanceOf(error, APIError)
  return error as APIError
}

const text = "Hello there. Good morning. Shall we?"

describe("the openai package", () => {
  const create = (more: object) =>
    client().audio.transcriptions.create({ file: fresh(), model: "whisper-1", ...more })

  it("reads json, its default format", async () => {
    const { data, response } = await client()
      .audio.transcriptions.create({ file: fresh(), model: "gpt-4o-transcribe" })
      .withResponse()
    assert.deepEqual(data, { text, usage: { type: "duration", seconds: 120 } })
    const id = response.headers.get("x-verbatim-job-id") ?? ""
    const status = (await (await server().get(`/v1/status/${id}`)).json()) as { status: string }
    assert.strictEqual(status.status, "COMPLETED")
    assert.include(
      (await server().jobs()).map((job) => job.id),
      id
    )
    const history = await server().get(`/v1/transcriptions/${id}/history`)
    assert.strictEqual(history.status, 200)
  })

  it("reads plain text and subtitles", async () => {
    assert.strictEqual(String(await create({ response_format: "text" })), `${text}\n`)
    const srt = await create({ response_format: "srt" })
    assert.match(String(srt), /^1\n00:00:00,500 --> /)
    const vtt = await create({ response_format: "vtt" })
    assert.match(String(vtt), /^WEBVTT\n\n00:00:00\.500 --> /)
  })

  it("reads verbose_json with the timestamps of words and segments", async () => {
    const found = await client().audio.transcriptions.create({
      file: fresh(),
      model: "whisper-1",
      response_format: "verbose_json",
      timestamp_granularities: ["word", "segment"]
    })
    assert.strictEqual(found.language, "english")
    assert.strictEqual(found.duration, 120)
    assert.strictEqual(found.text, text)
    assert.deepEqual(
      found.segments?.map(({ end, id, start, text }) => ({ id, start, end, text })),
      [
        { id: 0, start: 0.5, end: 2, text: "Hello there." },
        { id: 1, start: 2.5, end: 3, text: "Good morning." },
        { id: 2, start: 3.1, end: 4, text: "Shall we?" }
      ]
    )
    assert.deepEqual(found.words?.slice(0, 2), [
      { word: "Hello", start: 0.5, end: 1 },
      { word: "there.", start: 1.1, end: 2 }
    ])
    assert.deepEqual(found.usage, { type: "duration", seconds: 120 })
  })

  it("reads diarized_json with the speakers", async () => {
    const found = await create({
      model: "gpt-4o-transcribe-diarize",
      response_format: "diarized_json",
      chunking_strategy: "auto"
    })
    assert.deepEqual(
      (found as OpenAI.Audio.TranscriptionDiarized).segments.map(({ speaker, text }) => [
        speaker,
        text
      ]),
      [
        ["speaker_0", "Hello there."],
        ["speaker_1", "Good morning."],
        ["speaker_1", "Shall we?"]
      ]
    )
  })

  it("reads text as a stream while the engine works, and gets all of it", async () => {
    const open = await server().hold()
    const stream = await client().audio.transcriptions.create({
      file: fresh(),
      model: "gpt-4o-transcribe-diarize",
      response_format: "diarized_json",
      stream: true
    })
    await open()
    const events: Array<TranscriptionStreamEvent> = []
    for await (const event of stream) events.push(event)
    const deltas = events.flatMap((event) =>
      event.type === "transcript.text.delta" ? [event.delta] : []
    )
    assert.strictEqual(deltas.join(""), text)
    const last = events.at(-1)
    assert.deepEqual(last, { type: "transcript.text.done", text })
    const segments = events.filter(({ type }) => type === "transcript.text.segment")
    assert.lengthOf(segments, 3)
  })

  it("reports a failure in a stream as an error", async () => {
    await Effect.runPromise(
      server().engines.script({
        decode: Effect.fail(
          new AudioDecoderError({ reason: Failure.cases.MediaUndecodable.make({ detail: "no" }) })
        )
      })
    )
    const stream = await client().audio.transcriptions.create({
      file: fresh(),
      model: "whisper-1",
      stream: true
    })
    const error = await failure(
      (async () => {
        for await (const _ of stream);
      })()
    )
    assert.match(error.message, /could not be decoded/)
    const whole = await failure(create({}))
    assert.instanceOf(whole, BadRequestError)
    assert.strictEqual(whole.param, "file")
    await Effect.runPromise(server().engines.script({ decode: calmScript.decode }))
  })

  it("reruns a refused job only if the call asks for it, at most eight times a day", async () => {
    const before = server().requests()
    const refused = Failure.cases.EngineRefused.make({ detail: "no such model" })
    await Effect.runPromise(
      server().engines.script({
        transcribe: Effect.fail(new TranscriberError({ reason: refused }))
      })
    )
    const file = fresh()
    const error = await failure(client().audio.transcriptions.create({ file, model: "whisper-1" }))
    assert.strictEqual(error.status, 500)
    assert.strictEqual(error.code, "transcription_failed")
    assert.strictEqual(server().requests() - before, 1)
    const repeated = fresh()
    const failed: Array<string | null | undefined> = []
    for (let index = 0; index < 10; index += 1) {
      const { headers } = await failure(
        client().audio.transcriptions.create({ file: repeated, model: "whisper-1" })
      )
      failed.push(headers?.get("x-verbatim-job-id"))
    }
    assert.lengthOf([...new Set(failed)], 8)
    assert.deepEqual(failed.slice(8), [failed[7], failed[7]])
    const open = await server().hold()
    await open()
    const again = await client().audio.transcriptions.create({ file, model: "whisper-1" })
    assert.strictEqual(again.text, text)
  })

  it("names the unsupported parameter in an error", async () => {
    const refusals: ReadonlyArray<readonly [object, string]> = [
      [{ model: "whisper-9" }, "model"],
      [{ temperature: 0.4 }, "temperature"],
      [{ include: ["logprobs"] }, "include"],
      [{ language: "xx" }, "language"],
      [{ languages: ["en", "de"] }, "languages"],
      [{ known_speaker_names: ["Ada"] }, "known_speaker_names"],
      [{ chunking_strategy: { type: "server_vad", threshold: 0.3 } }, "chunking_strategy"],
      [{ timestamp_granularities: ["word"] }, "timestamp_granularities"],
      [{ response_format: "verbose_json", stream: true }, "stream"],
      [{ response_format: "docx" }, "response_format"],
      [{ best_of: 5 }, "best_of"],
      [{ prompt: "a".repeat(5_000) }, "prompt"]
    ]
    const before = (await server().jobs()).length
    for (const [more, parameter] of refusals) {
      const error = await failure(create(more))
      assert.strictEqual(error.status, 400, parameter)
      assert.strictEqual(error.param, parameter)
      assert.strictEqual(error.type, "invalid_request_error")
    }
    assert.strictEqual((await server().jobs()).length, before)
  })

  it("sends the usual parameters, and the engine gets them", async () => {
    const found = await create({
      language: "en",
      prompt: "Names: Ada, Ben.",
      keywords: ["Ada", "harbour wall"],
      temperature: 0,
      chunking_strategy: "auto",
      include: [],
      stream: false,
      response_format: "json"
    })
    assert.strictEqual((found as OpenAI.Audio.Transcription).text, text)
    const [recognition] = (await Effect.runPromise(server().engines.recognitions)).slice(-1)
    assert.strictEqual(recognition?.language, "en")
    assert.strictEqual(recognition?.initialPrompt, "Names: Ada, Ben.")
    assert.deepEqual(recognition?.keywords, ["Ada", "harbour wall"])
    assert.isFalse(recognition?.isDiarized)
  })

  it("lists the models, and retrieves a single model", async () => {
    const names: Array<string> = []
    for await (const model of client().models.list()) names.push(model.id)
    assert.include(names, "whisper-1")
    assert.include(names, "verbatim")
    const model = await client().models.retrieve("whisper-1")
    assert.strictEqual((model as { engine?: unknown }).engine, "fake")
    const error = await failure(client().models.retrieve("gpt-9"))
    assert.instanceOf(error, NotFoundError)
    assert.strictEqual(error.code, "model_not_found")
  })

  it("reports an unknown key", async () => {
    const stranger = new OpenAI({ apiKey: "sk-unknown", baseURL: server().baseUrl })
    const error = await failure(
      stranger.audio.transcriptions.create({ file: fresh(), model: "whisper-1" })
    )
    assert.instanceOf(error, AuthenticationError)
    assert.strictEqual(error.code, "invalid_api_key")
  })

  it("does not retry a call if its idempotency key belongs to another request", async () => {
    const before = server().requests()
    const call = (file: File) =>
      client().audio.transcriptions.create(
        { file, model: "whisper-1" },
        { headers: { "Idempotency-Key": "a-key" } }
      )
    await call(fresh())
    assert.instanceOf(await failure(call(fresh())), ConflictError)
    assert.strictEqual(server().requests() - before, 2)
  })

  it("reports a route that does not exist", async () => {
    const unknown = await failure(
      client().audio.translations.create({ file: fresh(), model: "whisper-1" })
    )
    assert.strictEqual(unknown.status, 404)
    assert.strictEqual(unknown.type, "invalid_request_error")
  })

  it("gets the missing file extension from the content type", async () => {
    const unnamed = new File([`unnamed ${serial}`], "blob", { type: "audio/mpeg" })
    const found = await client().audio.transcriptions.create({ file: unnamed, model: "whisper-1" })
    assert.strictEqual(found.text, text)
  })

  it("gets the same finished job if it requests another format", async () => {
    const file = fresh()
    const call = (response_format: "json" | "srt") =>
      client()
        .audio.transcriptions.create({ file, model: "whisper-1", response_format })
        .withResponse()
    const runs = await server().runs()
    const [first, again] = [await call("json"), await call("srt")]
    const [one, other] = [first, again].map(({ response }) =>
      response.headers.get("x-verbatim-job-id")
    )
    assert.strictEqual(other, one)
    assert.strictEqual((await server().runs()) - runs, 1)
  })
})
