import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { fieldsOf, fileOf } from "./ScriptedServer.ts"
import { tone, transcribeAnswer } from "./Transcribing.ts"

const verboseJson = {
  task: "transcribe",
  language: "english",
  duration: "3.0",
  text: "Hello there. General remarks.",
  segments: [
    { id: 0, seek: 0, start: 0.1, end: 1.2, text: " Hello there.", tokens: [1], avg_logprob: -0.2 },
    { id: 1, seek: 0, start: 1.4, end: 2.8, text: " General remarks.", tokens: [2] }
  ],
  words: [
    { word: "Hello", start: 0.1, end: 0.5 },
    { word: "there", start: 0.6, end: 1.2 },
    { word: "General", start: 1.4, end: 2 },
    { word: "remarks", start: 2.1, end: 2.8 }
  ],
  usage: { type: "duration", seconds: 3 }
}

/** Formats a word or a segment as `start-end text`, with timestamps in milliseconds. */
const read = (span: string) => {
  const [, start, end, text = ""] = /^(\d+)-(\d+) (.*)$/.exec(span) ?? []
  return { startMillis: Number(start), endMillis: Number(end), text }
}

/** Builds a segment with its words. The recording has only this one speaker. */
const makeSegment = (span: string, ...words: ReadonlyArray<string>) => ({
  ...read(span),
  speaker: "speaker_0",
  hasSpaceBefore: true,
  words: words.map(read)
})

describe("OpenAI's dialects", () => {
  it.live("request and read `verbose_json`", () =>
    Effect.gen(function* () {
      const { received, recognised } = yield* transcribeAnswer(
        verboseJson,
        { initialPrompt: "Grüße, remarks" },
        { key: Option.some(Redacted.make("sk-test")) }
      )
      assert.strictEqual(received.path, "/audio/transcriptions")
      assert.strictEqual(received.headers.authorization, "Bearer sk-test")
      assert.strictEqual(received.headers["content-length"], `${received.byteLength}`)
      assert.isUndefined(received.headers["transfer-encoding"])
      assert.deepStrictEqual(fieldsOf(received), [
        "model=whisper-1",
        "response_format=verbose_json",
        "timestamp_granularities[]=word",
        "timestamp_granularities[]=segment",
        "prompt=Grüße, remarks"
      ])
      assert.deepStrictEqual(recognised, {
        engine: "openai whisper-1",
        language: "en",
        segments: [
          makeSegment("100-1200 Hello there.", "100-500 Hello", "600-1200 there"),
          makeSegment("1400-2800 General remarks.", "1400-2000 General", "2100-2800 remarks")
        ]
      })
    })
  )

  it.live("put only as many keywords into the prompt as Whisper reads", () =>
    Effect.gen(function* () {
      const keywords = [
        "Zoë Baker",
        ...Array.from({ length: 99 }, (_, index) => `keyword-${index}`)
      ]
      const { received, recognised } = yield* transcribeAnswer(verboseJson, {
        initialPrompt: "A talk.",
        keywords
      })
      const prompt = fieldsOf(received).find((field) => field.startsWith("prompt=")) ?? ""
      assert.match(prompt, /^prompt=A talk\.\nZoë Baker, keyword-0, .*, keyword-4\d$/)
      assert.isAtMost(prompt.length, 620)
      assert.isTrue(recognised.areKeywordsUsed)
    })
  )

  it.live("send keywords alone as the prompt, or as a list if the model accepts one", () =>
    Effect.gen(function* () {
      const keywords = ["Zoë Baker", "quay, old"]
      const defaultRecognition = { text: "Bonjour." }
      const keywordFields = (model: string) =>
        Effect.map(
          transcribeAnswer(defaultRecognition, { keywords }, { model }),
          ({ received, recognised }) => {
            assert.isTrue(recognised.areKeywordsUsed)
            return fieldsOf(received).slice(2)
          }
        )
      assert.deepStrictEqual(yield* keywordFields("gpt-4o-transcribe"), [
        "prompt=Zoë Baker, quay, old"
      ])
      assert.deepStrictEqual(yield* keywordFields("gpt-transcribe"), [
        "keywords[]=Zoë Baker",
        "keywords[]=quay, old"
      ])
    })
  )

  it.live("send the audio as a WAV file with a correct header", () =>
    Effect.gen(function* () {
      const { received } = yield* transcribeAnswer(verboseJson)
      const { bytes, head } = fileOf(received)
      assert.strictEqual(
        head,
        'Content-Disposition: form-data; name="file"; filename="audio.wav"\r\n' +
          "Content-Type: audio/wav"
      )
      assert.strictEqual(bytes.subarray(0, 4).toString(), "RIFF")
      assert.strictEqual(bytes.readUInt32LE(4), bytes.byteLength - 8)
      assert.strictEqual(bytes.subarray(8, 16).toString(), "WAVEfmt ")
      assert.strictEqual(bytes.readUInt32LE(24), 16_000)
      assert.strictEqual(bytes.readUInt32LE(28), 32_000)
      assert.strictEqual(bytes.subarray(36, 40).toString(), "data")
      assert.strictEqual(bytes.readUInt32LE(40), 3 * 32_000)
      assert.isTrue(bytes.subarray(44).equals(Buffer.from(tone(3))))
    })
  )

  it.live("read `diarized_json`, which is requested without a prompt", () =>
    Effect.gen(function* () {
      const answer = [
        ["B", "Eins"],
        ["A", "Zwei"],
        ["B", "Drei"]
      ]
      const segments = answer.map(([speaker, text], start) => ({
        type: "transcript.text.segment",
        id: `${start + 1}`,
        start,
        end: start + 1,
        speaker,
        text
      }))
      const { received, recognised } = yield* transcribeAnswer(
        {
          task: "transcribe",
          duration: 3,
          text: "Guten Morgen. Morgen!",
          segments,
          usage: { type: "tokens", input_tokens: 1, output_tokens: 2, total_tokens: 3 }
        },
        {
          language: "de",
          isDiarized: true,
          initialPrompt: "unwanted",
          keywords: ["unwanted, too"]
        },
        { model: "gpt-4o-transcribe-diarize" }
      )
      assert.deepStrictEqual(fieldsOf(received), [
        "model=gpt-4o-transcribe-diarize",
        "response_format=diarized_json",
        "chunking_strategy=auto",
        "language=de"
      ])
      assert.strictEqual(recognised.language, "de")
      assert.isUndefined(recognised.areKeywordsUsed)
      assert.deepStrictEqual(
        recognised.segments.map(({ speaker, text }) => `${speaker} ${text}`),
        ["speaker_0 Eins", "speaker_1 Zwei", "speaker_0 Drei"]
      )
    })
  )

  it.live("read `json` from models that return no timestamps", () =>
    Effect.gen(function* () {
      const { received, recognised } = yield* transcribeAnswer(
        { text: "Bonjour.", languages: [{ code: "fr" }], usage: { type: "duration", seconds: 3 } },
        {},
        { model: "gpt-4o-mini-transcribe-2025-12-15" }
      )
      assert.deepStrictEqual(fieldsOf(received), [
        "model=gpt-4o-mini-transcribe-2025-12-15",
        "response_format=json"
      ])
      assert.deepStrictEqual(recognised.segments, [
        { startMillis: 0, endMillis: 3_000, speaker: "speaker_0", text: "Bonjour." }
      ])
      assert.strictEqual(recognised.language, "fr")
    })
  )

  it.live("support whisper.cpp, which returns tokens and defaults to English", () =>
    Effect.gen(function* () {
      const token = (word: string, start: number) => ({ word, start, end: start + 0.2, t_dtw: -1 })
      const { received, recognised } = yield* transcribeAnswer(
        {
          task: "transcribe",
          language: "german",
          duration: 3,
          text: " Die Zusammenfassung.\n",
          detected_language: "german",
          detected_language_probability: 0.99,
          segments: [
            {
              id: 0,
              text: " Die Zusammenfassung.",
              start: 0,
              end: 2,
              speaker: "?",
              tokens: [1, 2, 3],
              words: [
                token(" Die", 0),
                token(" Zusammen", 0.4),
                token("fass", 0.6),
                { word: "ung", probability: 0.5 },
                token(".", 1.4),
                token("[_TT_100]", 1.6)
              ],
              temperature: 0,
              avg_logprob: -0.3
            }
          ]
        },
        { isDiarized: true },
        { dialect: "whisper.cpp" }
      )
      assert.strictEqual(received.path, "/inference")
      assert.deepStrictEqual(fieldsOf(received), [
        "model=whisper-1",
        "response_format=verbose_json",
        "timestamp_granularities[]=word",
        "timestamp_granularities[]=segment",
        "language=auto",
        "no_language_probabilities=true"
      ])
      assert.strictEqual(recognised.language, "de")
      assert.deepStrictEqual(recognised.segments, [
        makeSegment("0-2000 Die Zusammenfassung.", "0-200 Die", "400-1600 Zusammenfassung.")
      ])
    })
  )

  it.live("support the faster-whisper family, which returns language codes", () =>
    Effect.gen(function* () {
      const { received, recognised } = yield* transcribeAnswer(
        {
          language: "pt",
          duration: 3,
          text: "Bom dia.",
          segments: [
            {
              id: 1,
              start: 0,
              end: 1.5,
              text: " Bom dia.",
              words: [
                { word: " Bom", start: 0, end: 0.5, probability: 0.9 },
                { word: " dia.", start: 0.5, end: 1.5, probability: 0.9 }
              ]
            }
          ],
          words: null
        },
        { isVadFiltered: false },
        { dialect: "faster-whisper", model: "Systran/faster-whisper-small" }
      )
      assert.include(fieldsOf(received), "vad_filter=false")
      assert.strictEqual(recognised.language, "pt")
      assert.deepStrictEqual(
        recognised.segments[0]?.words?.map(({ text }) => text),
        ["Bom", "dia."]
      )
    })
  )
})
