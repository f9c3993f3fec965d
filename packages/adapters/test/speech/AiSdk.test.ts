/** The OpenAI provider of the AI SDK, unchanged but for its base URL, against a server of ours. */
import { createOpenAI } from "@ai-sdk/openai"
import { APICallError, transcribe } from "ai"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { apiKey, type Servers, startServers } from "./ServedSpeech.ts"

let servers: Servers

beforeAll(async () => {
  servers = await startServers(1)
})

afterAll(async () => {
  await servers[Symbol.asyncDispose]()
})

const provider = () => createOpenAI({ apiKey, baseURL: servers.baseUrl })

/** Bytes that say that they are WAV, of a recording of that number. */
const audio = (serial: number) =>
  new TextEncoder().encode(`RIFF\0\0\0\0WAVEfmt and so on, ${serial}`)

const text = "Hello there. Good morning. Shall we?"

describe("the AI SDK's provider for OpenAI", () => {
  it("transcribes with the times that whisper-1 gives", async () => {
    const result = await transcribe({
      model: provider().transcription("whisper-1"),
      audio: audio(1)
    })
    assert.strictEqual(result.text, text)
    assert.strictEqual(result.language, "en")
    assert.strictEqual(result.durationInSeconds, 120)
    assert.deepEqual(
      result.segments.map((segment) => segment.text),
      ["Hello there.", "Good morning.", "Shall we?"]
    )
  })

  it("transcribes under the other names, and sends its options", async () => {
    for (const [serial, name] of ["gpt-4o-transcribe", "gpt-4o-transcribe-diarize"].entries()) {
      const result = await transcribe({
        model: provider().transcription(name),
        audio: audio(10 + serial)
      })
      assert.strictEqual(result.text, text)
    }
    await transcribe({
      model: provider().transcription("whisper-1"),
      audio: audio(20),
      providerOptions: {
        openai: { language: "en", prompt: "Ada", keywords: ["harbour"], temperature: 0 }
      }
    })
    const recognition = (await Effect.runPromise(servers.engines.asked)).at(-1)
    assert.strictEqual(recognition?.initialPrompt, "Ada")
    assert.deepEqual(recognition?.keywords, ["harbour"])
  })

  it("reads a refusal", async () => {
    const error = await transcribe({
      model: provider().transcription("whisper-1"),
      audio: audio(30),
      providerOptions: { openai: { temperature: 0.5 } }
    }).catch((reason: unknown) => reason)
    assert.isTrue(APICallError.isInstance(error))
    assert.match(String(error), /Unsupported 'temperature'/)
  })
})
