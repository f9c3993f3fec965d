/**
 * Tests the current and the previous release of the AI SDK's OpenAI provider with Verbatim's
 * server. Only the base URL is changed.
 */
import { createOpenAI } from "@ai-sdk/openai"
import { createOpenAI as createOpenAI6 } from "@ai-sdk/openai-3"
import { APICallError, transcribe } from "ai"
import { APICallError as APICallError6, experimental_transcribe as transcribe6 } from "ai-6"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { apiKey, useServer } from "./ServedSpeech.ts"

const server = useServer()

interface Call {
  readonly model: string
  readonly audio: Uint8Array<ArrayBuffer>
  readonly options?: { readonly openai: Record<string, string | number | Array<string>> }
}

const releases = [
  {
    release: 7,
    send: ({ audio, model, options = { openai: {} } }: Call) =>
      transcribe({
        model: createOpenAI({ apiKey, baseURL: server().baseUrl }).transcription(model),
        audio,
        providerOptions: options
      }),
    isRefusal: (error: unknown) => APICallError.isInstance(error)
  },
  {
    release: 6,
    send: ({ audio, model, options = { openai: {} } }: Call) =>
      transcribe6({
        model: createOpenAI6({ apiKey, baseURL: server().baseUrl }).transcription(model),
        audio,
        providerOptions: options
      }),
    isRefusal: (error: unknown) => APICallError6.isInstance(error)
  }
]

/**
 * Returns bytes that look like WAV. The bytes differ from call to call, so that no two calls share
 * a job.
 */
let serial = 0
const freshAudio = () => {
  serial += 1
  return new TextEncoder().encode(`RIFF\0\0\0\0WAVEfmt and so on, ${serial}`)
}

const text = "Hello there. Good morning. Shall we?"

const models = [
  "whisper-1",
  "gpt-4o-transcribe",
  "gpt-4o-mini-transcribe",
  "gpt-4o-mini-transcribe-2025-12-15",
  "gpt-4o-transcribe-diarize",
  "verbatim"
]

const engineOptions = [
  {},
  { language: "en" },
  { prompt: "Ada" },
  { temperature: 0 },
  { timestampGranularities: ["segment"] },
  { language: "en", prompt: "Ada", temperature: 0 }
]

describe.each(releases)("AI SDK $release's OpenAI provider", ({ isRefusal, release, send }) => {
  it("transcribes with the timestamps that whisper-1 reports", async () => {
    const result = await send({ model: "whisper-1", audio: freshAudio() })
    assert.strictEqual(result.text, text)
    assert.strictEqual(result.language, "en")
    assert.strictEqual(result.durationInSeconds, 120)
    assert.deepEqual(
      result.segments.map((segment) => segment.text),
      ["Hello there.", "Good morning.", "Shall we?"]
    )
  })

  it("transcribes with every model name and every usual option", async () => {
    for (const model of models) {
      const calls = engineOptions.map((openai) =>
        send({ model, audio: freshAudio(), options: { openai } })
      )
      for (const result of await Promise.all(calls)) assert.strictEqual(result.text, text, model)
    }
  })

  it("passes its options to the engine", async () => {
    const openai = { language: "en", prompt: "Ada", keywords: ["harbour"], temperature: 0 }
    await send({ model: "whisper-1", audio: freshAudio(), options: { openai } })
    const recognition = (await Effect.runPromise(server().engines.recognitions)).at(-1)
    assert.strictEqual(recognition?.initialPrompt, "Ada")
    if (release === 7) assert.deepEqual(recognition?.keywords, ["harbour"])
  })

  it("gets an error that names the unsupported parameter", async () => {
    const error = await send({
      model: "whisper-1",
      audio: freshAudio(),
      options: { openai: { temperature: 0.5 } }
    }).catch((reason: unknown) => reason)
    assert.isTrue(isRefusal(error))
    assert.match(String(error), /Unsupported 'temperature'/)
  })
})
