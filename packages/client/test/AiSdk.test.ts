import { APICallError } from "@ai-sdk/provider"
import { createClient } from "@verbatim/client"
import { verbatimModel } from "@verbatim/client/ai-sdk"
import { Failure } from "@verbatim/core/attempt"
import { TranscriberError } from "@verbatim/core/ports"
import { transcribe } from "ai"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { keys, recordingUrl, type Server, startServer } from "./Server.ts"

/** The smallest valid WAV header. */
const audio = new TextEncoder().encode("RIFF\0\0\0\0WAVEfmt and so on")

/** Returns the error with which a call rejects. */
const failure = (calling: Promise<unknown>): Promise<unknown> =>
  calling.then(
    () => assert.fail("it did not fail"),
    (error: unknown) => error
  )

describe("the AI SDK model `verbatimModel`", () => {
  let server: Server
  const connect = (options: Partial<Parameters<typeof createClient>[0]> = {}) =>
    createClient({ baseURL: server.baseURL, key: keys.inference, ...options })
  const jobs = async () => (await connect().transcriptions.list()).data
  const script = (said: Parameters<Server["engines"]["script"]>[0]) =>
    Effect.runPromise(server.engines.script(said))

  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    const { transcriptions } = connect()
    for await (const { id } of transcriptions.list()) await transcriptions.remove(id)
    await script({
      transcribe: Effect.succeed({
        engine: "fake",
        language: "en",
        segments: [
          { startMillis: 500, endMillis: 2_000, speaker: "speaker_0", text: "Hello there." },
          { startMillis: 2_500, endMillis: 4_000, speaker: "speaker_1", text: "Good morning." }
        ]
      })
    })
  })

  it("works with the SDK's `transcribe`, and passes the API's parameters on", async () => {
    const settings = { language: "en", initial_prompt: "Ada", keywords: ["Zoë, Ada"] }
    const result = await transcribe({
      model: verbatimModel(connect(), { language: "de" }),
      audio,
      providerOptions: { verbatim: { ...settings, speed: 2 } }
    })
    assert.strictEqual(result.text, "Hello there. Good morning.")
    assert.deepStrictEqual(result.segments, [
      { text: "Hello there.", startSecond: 0.5, endSecond: 2 },
      { text: "Good morning.", startSecond: 2.5, endSecond: 4 }
    ])
    assert.deepStrictEqual([result.language, result.durationInSeconds], ["en", 120])
    assert.deepStrictEqual(
      result.words?.map(({ text }) => text),
      ["Hello", "there.", "Good", "morning."]
    )
    assert.deepStrictEqual(
      result.warnings.map(({ type }) => type),
      ["unsupported", "other"]
    )
    const [job] = await jobs()
    assert.strictEqual(result.providerMetadata.verbatim?.jobId, job?.id)
    assert.deepInclude(result.providerMetadata.verbatim?.segments, {
      text: "Good morning.",
      startSecond: 2.5,
      endSecond: 4,
      speaker: "speaker_1"
    })
    const recognised = await Effect.runPromise(server.engines.recognitions)
    assert.deepInclude(recognised.at(-1), {
      ...{ language: "en", initialPrompt: "Ada", isDiarized: true },
      keywords: ["Zoë, Ada"]
    })
  })

  it("creates no job if the call is already aborted", async () => {
    const abortSignal = AbortSignal.abort("late")
    const calling = transcribe({ model: verbatimModel(connect()), audio, abortSignal })
    assert.strictEqual(await failure(calling), "late")
    assert.deepStrictEqual(await jobs(), [])
  })

  it("throws the SDK's error without retries if a call is refused or a job fails", async () => {
    const unknown = verbatimModel(connect({ key: "no-such-key" }))
    const wrong = await failure(transcribe({ model: unknown, audio }))
    assert.isTrue(APICallError.isInstance(wrong))
    assert.deepInclude(wrong, { statusCode: 403, isRetryable: false })
    const model = verbatimModel(connect(), { language: "xx" as "en" })
    const language = await failure(transcribe({ model, audio }))
    assert.deepInclude(language, { statusCode: 400 })
    const reason = Failure.cases.EngineRefused.make({ detail: "no" })
    await script({ transcribe: new TranscriberError({ reason }) })
    const failed = await failure(transcribe({ model: verbatimModel(connect()), audio }))
    assert.isTrue(APICallError.isInstance(failed))
    assert.strictEqual((failed as Error).message, "The engine refused the work")
    assert.lengthOf(await jobs(), 1)
    for (const said of [wrong, language, failed]) {
      assert.notInclude(JSON.stringify(said), keys.inference)
    }
  })

  it("passes a URL to the server, and lets the SDK download it if the server refuses", async () => {
    const model = verbatimModel(connect())
    const { text } = await transcribe({ model, audio: new URL(recordingUrl) })
    assert.strictEqual(text, "Hello there. Good morning.")
    const elsewhere = new URL("https://media.example.com/b.wav")
    assert.isUndefined(await model.doGenerateFromUrl?.({ audio: elsewhere }))
    assert.lengthOf(await jobs(), 1)
  })

  // This test is the last one, because the worker stays busy until it notices the deletion of the
  // job.
  it("deletes the job when the call is aborted", async () => {
    const controller = new AbortController()
    await script({
      transcribe: Effect.andThen(
        Effect.sync(() => controller.abort("enough")),
        Effect.never
      )
    })
    const { signal } = controller
    const calling = transcribe({ model: verbatimModel(connect()), audio, abortSignal: signal })
    assert.strictEqual(await failure(calling), "enough")
    assert.deepStrictEqual(await jobs(), [])
  })
})
