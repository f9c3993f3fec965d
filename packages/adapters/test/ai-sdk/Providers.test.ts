import { createRequire } from "node:module"
import { assert, describe, it } from "@effect/vitest"
import type * as AiSdk from "@verbatim/adapters/ai-sdk"
import { Effect, Struct } from "effect"
import { bodies } from "./Conversation.ts"
import { transcribe } from "./Models.ts"

type Provider = keyof typeof bodies

/** Settings that every provider's package accepts. */
interface Settings {
  readonly apiKey: string
  readonly fetch: typeof fetch
}

type MakeProvider = (settings: Settings) => {
  readonly transcription: (model: string) => AiSdk.TranscriptionModel
}

/** Calls to a provider's package, and part of the request for a job with two speakers. */
interface Row {
  readonly make: string
  readonly model?: string
  /** Responses that precede the transcription's. */
  readonly before?: ReadonlyArray<unknown>
  readonly sent: string
}

const rows: Readonly<Record<Provider, Row>> = {
  assemblyai: {
    make: "createAssemblyAI",
    before: [{ upload_url: "https://api.assemblyai.com/u" }, { id: "1", status: "queued" }],
    sent: '"speaker_labels":true,"speakers_expected":2'
  },
  deepgram: { make: "createDeepgram", sent: "diarize=true" },
  elevenlabs: { make: "createElevenLabs", sent: "num_speakers=2" },
  fal: { make: "createFal", before: [{ request_id: "1" }], sent: '"num_speakers":2' },
  gladia: {
    make: "createGladia",
    before: [
      { audio_url: "https://api.gladia.io/a" },
      { result_url: "https://api.gladia.io/v2/pre-recorded/1" }
    ],
    sent: '"number_of_speakers":2'
  },
  mistral: { make: "createMistral", model: "voxtral-mini-latest", sent: "diarize=true" },
  openai: {
    make: "createOpenAI",
    model: "gpt-4o-transcribe-diarize",
    sent: "response_format=diarized_json"
  },
  revai: {
    make: "createRevai",
    model: "machine",
    before: [{ id: "1", status: "transcribed" }],
    sent: '"speakers_count":2'
  },
  xai: { make: "createXai", sent: "diarize=true" }
}

const { resolve } = createRequire(new URL("providers/package.json", import.meta.url))

/** Returns the path of a provider's package. OpenAI's is a dependency of the whole project. */
const find = (provider: Provider): string | undefined => {
  try {
    return resolve(`@ai-sdk/${provider}`)
  } catch {
    return undefined
  }
}

const partsOf = async (body: unknown): Promise<string> => {
  if (!(body instanceof FormData)) return typeof body === "string" ? body : ""
  const parts = [...body].map(async ([name, value]) =>
    typeof value === "string" ? `${name}=${value}` : `${name}=${await value.text()}`
  )
  return (await Promise.all(parts)).join("&")
}

/** Serves the responses in order, and records the requests. */
const serve = (responses: ReadonlyArray<unknown>) => {
  const requests: Array<string> = []
  const answer: typeof fetch = async (input, init) => {
    const response = responses[requests.length]
    requests.push(`${String(input)} ${await partsOf(init?.body)}`)
    return response === undefined ? new Response(null, { status: 404 }) : Response.json(response)
  }
  return { fetch: answer, requests }
}

/**
 * The real packages send the requests and check the responses, so a package that changes its
 * options or its results fails here.
 */
describe("the speakers in an API's response", () => {
  for (const provider of Struct.keys(rows)) {
    const { before = [], make, model = "", sent }: Row = rows[provider]
    const path = find(provider)
    const title = `are requested and read through ${provider}'s own package`
    it.live.skipIf(path === undefined)(
      path === undefined ? `${title}: it is not installed in test/ai-sdk/providers` : title,
      () =>
        Effect.gen(function* () {
          const module: Readonly<Record<string, MakeProvider>> = yield* Effect.promise(
            () => import(path ?? "")
          )
          const { fetch, requests } = serve([...before, bodies[provider]])
          const { transcription } = module[make]?.({ apiKey: "key", fetch }) ?? {}
          assert.isDefined(transcription)
          const { areSpeakersUnknown, segments } = yield* transcribe(transcription(model), {
            settings: { isDiarized: true, speakerCount: 2 }
          })
          assert.isFalse(areSpeakersUnknown)
          assert.deepStrictEqual(
            segments.map(({ speaker, startMillis, text }) => [startMillis, speaker, text.trim()]),
            [
              [100, "speaker_0", "Good morning, all."],
              [1_500, "speaker_1", "Hello."]
            ]
          )
          assert.lengthOf(requests, before.length + 1)
          assert.include(requests.join("\n"), sent)
        })
    )
  }
})
