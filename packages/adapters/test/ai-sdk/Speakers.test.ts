import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, answers, listen, model } from "./Models.ts"

/** The answer of a provider, in the shape in which its package passes it on. */
type Recorded = readonly [provider: string, parts: Partial<Answer>]

const bodyOf = (body: unknown) => ({ timestamp: new Date(0), modelId: "scripted", body })

const text = "Good morning, all. Hello."

/** The SDK's own segments of most providers: words, bare of speakers. */
const bare = [
  { text: "good", startSecond: 0.1, endSecond: 0.4 },
  { text: "morning", startSecond: 0.4, endSecond: 0.8 },
  { text: "all", startSecond: 0.8, endSecond: 1 },
  { text: "hello", startSecond: 1.5, endSecond: 2 }
]

const recorded: ReadonlyArray<Recorded> = [
  [
    "deepgram",
    {
      response: bodyOf({
        metadata: { duration: 3 },
        results: {
          channels: [
            {
              alternatives: [
                {
                  transcript: text,
                  words: [
                    { word: "good", punctuated_word: "Good", start: 0.1, end: 0.4, speaker: 0 },
                    {
                      word: "morning",
                      punctuated_word: "morning,",
                      start: 0.4,
                      end: 0.8,
                      speaker: 0
                    },
                    { word: "all", punctuated_word: "all.", start: 0.8, end: 1, speaker: 0 },
                    { word: "hello", punctuated_word: "Hello.", start: 1.5, end: 2, speaker: 1 }
                  ]
                }
              ]
            }
          ]
        }
      })
    }
  ],
  [
    "assemblyai",
    {
      providerMetadata: {
        assemblyai: {
          utterances: [
            {
              speaker: "A",
              start: 100,
              end: 1_000,
              text: "Good morning, all.",
              words: [
                { text: "Good", start: 100, end: 400, speaker: "A" },
                { text: "morning,", start: 400, end: 800, speaker: "A" },
                { text: "all.", start: 800, end: 1_000, speaker: "A" }
              ]
            },
            {
              speaker: "B",
              start: 1_500,
              end: 2_000,
              text: "Hello.",
              words: [{ text: "Hello.", start: 1_500, end: 2_000, speaker: "B" }]
            }
          ]
        }
      }
    }
  ],
  [
    "elevenlabs",
    {
      response: bodyOf({
        language_code: "eng",
        language_probability: 0.98,
        text,
        words: [
          { text: "Good", type: "word", start: 0.1, end: 0.4, speaker_id: "speaker_7" },
          { text: " ", type: "spacing", start: 0.4, end: 0.4, speaker_id: "speaker_7" },
          { text: "morning,", type: "word", start: 0.4, end: 0.8, speaker_id: "speaker_7" },
          { text: " ", type: "spacing", start: 0.8, end: 0.8, speaker_id: "speaker_7" },
          { text: "all.", type: "word", start: 0.8, end: 1, speaker_id: "speaker_7" },
          { text: " ", type: "spacing", start: 1, end: 1.5, speaker_id: "speaker_7" },
          { text: "Hello.", type: "word", start: 1.5, end: 2, speaker_id: "speaker_2" }
        ]
      })
    }
  ],
  [
    "gladia",
    {
      providerMetadata: {
        gladia: {
          status: "done",
          result: {
            metadata: { audio_duration: 3 },
            transcription: {
              full_transcript: text,
              languages: ["en"],
              utterances: [
                {
                  text: "Good morning, all.",
                  start: 0.1,
                  end: 1,
                  speaker: 0,
                  words: [
                    { word: " Good", start: 0.1, end: 0.4, confidence: 1 },
                    { word: " morning,", start: 0.4, end: 0.8, confidence: 1 },
                    { word: " all.", start: 0.8, end: 1, confidence: 1 }
                  ]
                },
                {
                  text: "Hello.",
                  start: 1.5,
                  end: 2,
                  speaker: 1,
                  words: [{ word: " Hello.", start: 1.5, end: 2, confidence: 1 }]
                }
              ]
            }
          }
        }
      }
    }
  ],
  [
    "revai",
    {
      response: bodyOf({
        monologues: [
          {
            speaker: 0,
            elements: [
              { type: "text", value: "Good", ts: 0.1, end_ts: 0.4, confidence: 0.9 },
              { type: "punct", value: " " },
              { type: "text", value: "morning", ts: 0.4, end_ts: 0.8, confidence: 0.9 },
              { type: "punct", value: ", " },
              { type: "text", value: "all", ts: 0.8, end_ts: 1, confidence: 0.9 },
              { type: "punct", value: "." }
            ]
          },
          {
            speaker: 1,
            elements: [
              { type: "text", value: "Hello", ts: 1.5, end_ts: 2, confidence: 0.9 },
              { type: "punct", value: "." }
            ]
          }
        ]
      })
    }
  ],
  [
    "openai",
    {
      providerMetadata: {
        openai: {
          segments: [
            { text: "Good morning, all.", startSecond: 0.1, endSecond: 1, speaker: "A" },
            { text: "Hello.", startSecond: 1.5, endSecond: 2, speaker: "B" }
          ]
        }
      },
      words: [
        { text: "Good", startSecond: 0.1, endSecond: 0.4 },
        { text: "morning,", startSecond: 0.4, endSecond: 0.8 },
        { text: "all.", startSecond: 0.8, endSecond: 1 },
        { text: "Hello.", startSecond: 1.5, endSecond: 2 }
      ]
    }
  ]
]

const wordTimes = [
  [100, 400, "Good"],
  [400, 800, "morning,"],
  [800, 1_000, "all."],
  [1_500, 2_000, "Hello."]
]

const heard = (provider: string, parts: Partial<Answer>, isDiarized = true) =>
  listen(
    model(() => answers({ text, segments: bare, language: "en", ...parts }), provider),
    {
      wishes: { isDiarized }
    }
  )

describe("Speakers by provider", () => {
  for (const [provider, parts] of recorded) {
    it.live(`are read from the answer of ${provider}, with its words and marks`, () =>
      Effect.gen(function* () {
        const { segments } = yield* heard(`${provider}.transcription`, parts)
        assert.deepStrictEqual(
          segments.map(({ speaker, startMillis, text }) => [startMillis, speaker, text]),
          [
            [100, "speaker_0", "Good morning, all."],
            [1_500, "speaker_1", "Hello."]
          ]
        )
        assert.deepStrictEqual(
          segments.flatMap(({ words = [] }) =>
            words.map((word) => [word.startMillis, word.endMillis, word.text])
          ),
          wordTimes
        )
        const together = yield* heard(`${provider}.transcription`, parts, false)
        assert.deepStrictEqual(
          together.segments.map(({ speaker }) => speaker),
          together.segments.map(() => "speaker_0")
        )
      })
    )

    it.live(`do not depend on them where ${provider} answers in another shape`, () =>
      Effect.gen(function* () {
        for (const shape of [null, 7, "x", [], { results: [], words: "x", monologues: [null] }]) {
          const { segments } = yield* heard(`${provider}.transcription`, {
            response: bodyOf(shape),
            providerMetadata: { [provider]: { utterances: 1, result: null, segments: {} } }
          })
          assert.deepStrictEqual(
            segments.map(({ speaker, text }) => [speaker, text]),
            [["speaker_0", "good morning all hello"]]
          )
        }
      })
    )
  }

  it.live("are one where a provider tells none", () =>
    Effect.gen(function* () {
      const { segments } = yield* heard("nobody.transcription", {})
      assert.deepStrictEqual([...new Set(segments.map(({ speaker }) => speaker))], ["speaker_0"])
    })
  )

  it.live("are others in another piece of the audio, where labels begin anew", () =>
    Effect.gen(function* () {
      const [, , [, parts] = ["", {}]] = recorded
      const asked = model(
        () => answers({ text, segments: bare, language: "en", ...parts }),
        "elevenlabs.transcription"
      )
      const { segments } = yield* listen(asked, {
        pcm: new Uint8Array(12 * 32_000),
        options: { pieceBytesMax: 7 * 32_000 },
        wishes: { isDiarized: true }
      })
      assert.isAtLeast(asked.calls.length, 2)
      assert.deepStrictEqual(
        segments.map(({ speaker }) => speaker),
        asked.calls.flatMap((_, index) => [`speaker_${2 * index}`, `speaker_${2 * index + 1}`])
      )
    })
  )
})
