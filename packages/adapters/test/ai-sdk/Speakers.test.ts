import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, answers, makeModel, transcribe } from "./Models.ts"

/** A provider's response, as the provider's package returns it. */
type Recorded = readonly [provider: string, parts: Partial<Answer>]

const bodyOf = (body: unknown) => ({ timestamp: new Date(0), modelId: "scripted", body })

const text = "Good morning, all. Hello."

/** The spoken words, each with the speaker and with timestamps in milliseconds. */
const said = [
  { text: "Good", speaker: 0, from: 100, to: 400 },
  { text: "morning,", speaker: 0, from: 400, to: 800 },
  { text: "all.", speaker: 0, from: 800, to: 1_000 },
  { text: "Hello.", speaker: 1, from: 1_500, to: 2_000 }
]

const bareText = (word: string) => word.toLowerCase().replace(/[,.]/g, "")

const times = ({ from, to }: { from: number; to: number }) => ({
  start: from / 1_000,
  end: to / 1_000
})

const seconds = (word: { from: number; to: number }) => ({
  startSecond: word.from / 1_000,
  endSecond: word.to / 1_000
})

/** The turns of the speakers, with their words and text. */
const turns = [said.slice(0, 3), said.slice(3)].map((words, speaker) => ({
  speaker,
  words,
  text: words.map((word) => word.text).join(" "),
  from: words[0]?.from ?? 0,
  to: words.at(-1)?.to ?? 0
}))

/** The segments that the SDK itself returns for most providers, without speakers. */
const bare = said.map((word) => ({ text: bareText(word.text), ...seconds(word) }))

const writeAudio: ReadonlyArray<Recorded> = [
  [
    "deepgram",
    {
      response: bodyOf({
        results: {
          channels: [
            {
              alternatives: [
                {
                  transcript: text,
                  words: said.map((word) => ({
                    word: bareText(word.text),
                    punctuated_word: word.text,
                    speaker: word.speaker,
                    ...times(word)
                  }))
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
          utterances: turns.map((turn) => ({
            ...{ speaker: "AB"[turn.speaker] ?? "", start: turn.from, end: turn.to },
            text: turn.text,
            words: turn.words.map((word) => ({ text: word.text, start: word.from, end: word.to }))
          }))
        }
      }
    }
  ],
  [
    "elevenlabs",
    {
      response: bodyOf({
        text,
        words: said.flatMap((word) => [
          { text: word.text, type: "word", ...times(word), speaker_id: `speaker_${word.speaker}` },
          { text: " ", type: "spacing", start: 0, end: 0, speaker_id: `speaker_${word.speaker}` }
        ])
      })
    }
  ],
  [
    "gladia",
    {
      providerMetadata: {
        gladia: {
          result: {
            transcription: {
              utterances: turns.map((turn) => ({
                ...{ text: turn.text, speaker: turn.speaker, ...times(turn) },
                words: turn.words.map((word) => ({ word: ` ${word.text}`, ...times(word) }))
              }))
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
        monologues: turns.map(({ speaker, words }) => ({
          speaker,
          elements: words.flatMap((word) => [
            {
              type: "text",
              value: word.text.replace(/\W+$/, ""),
              ts: word.from / 1e3,
              end_ts: word.to / 1e3
            },
            { type: "punct", value: `${word.text.replace(/^\w+/, "")} ` }
          ])
        }))
      })
    }
  ],
  [
    "openai",
    {
      providerMetadata: {
        openai: {
          segments: turns.map((turn) => ({
            ...{ text: turn.text, speaker: "AB"[turn.speaker] ?? "", ...seconds(turn) }
          }))
        }
      },
      words: said.map((word) => ({ text: word.text, ...seconds(word) }))
    }
  ],
  [
    "fal",
    {
      response: bodyOf({
        text,
        chunks: turns.map((turn) => ({
          text: ` ${turn.text}`,
          timestamp: [turn.from / 1_000, turn.to / 1_000],
          speaker: `SPEAKER_0${turn.speaker}`
        }))
      })
    }
  ],
  [
    "mistral",
    {
      providerMetadata: {
        mistral: {
          segments: turns.map((turn) => ({
            ...{ text: turn.text, type: "transcription_segment", ...seconds(turn) },
            speakerId: `speaker_${turn.speaker + 1}`
          }))
        }
      }
    }
  ],
  [
    "xai",
    {
      response: bodyOf({
        text,
        words: said.map(({ speaker, text, ...word }) => ({ text, ...times(word), speaker }))
      })
    }
  ]
]

/** Providers that return segments without word timestamps. */
const wordless = new Set(["fal", "mistral"])

const wordTimes = said.map(({ from, text, to }) => [from, to, text])

const recognise = (provider: string, parts: Partial<Answer>, isDiarized = true) =>
  transcribe(
    makeModel(() => answers({ text, segments: bare, language: "en", ...parts }), provider),
    {
      settings: { isDiarized }
    }
  )

describe("the speakers in a provider's response", () => {
  for (const [provider, parts] of writeAudio) {
    it.live(`are read from ${provider}, with words and punctuation`, () =>
      Effect.gen(function* () {
        const { segments } = yield* recognise(`${provider}.transcription`, parts)
        assert.deepStrictEqual(
          segments.map(({ speaker, startMillis, text }) => [startMillis, speaker, text.trim()]),
          [
            [100, "speaker_0", "Good morning, all."],
            [1_500, "speaker_1", "Hello."]
          ]
        )
        assert.deepStrictEqual(
          segments.flatMap(({ words = [] }) =>
            words.map((word) => [word.startMillis, word.endMillis, word.text])
          ),
          wordless.has(provider) ? [] : wordTimes
        )
        const together = yield* recognise(`${provider}.transcription`, parts, false)
        assert.deepStrictEqual(
          together.segments.map(({ speaker }) => speaker),
          together.segments.map(() => "speaker_0")
        )
      })
    )

    it.live(`are missing, without an error, if ${provider} returns another shape`, () =>
      Effect.gen(function* () {
        for (const shape of [null, 7, "x", [], { results: [], words: "x", monologues: [null] }]) {
          const { segments } = yield* recognise(`${provider}.transcription`, {
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

  it.live("are a single speaker if the provider reports none", () =>
    Effect.gen(function* () {
      const { areSpeakersUnknown, segments } = yield* recognise("nobody.transcription", {})
      assert.isTrue(areSpeakersUnknown)
      assert.deepStrictEqual([...new Set(segments.map(({ speaker }) => speaker))], ["speaker_0"])
    })
  )

  it.live("have different names in each piece, because the provider's labels start over", () =>
    Effect.gen(function* () {
      const [, , [, parts] = ["", {}]] = writeAudio
      const model = makeModel(
        () => answers({ text, segments: bare, language: "en", ...parts }),
        "elevenlabs.transcription"
      )
      const { segments } = yield* transcribe(model, {
        pcm: new Uint8Array(12 * 32_000),
        options: { maxPieceBytes: 7 * 32_000 },
        settings: { isDiarized: true }
      })
      assert.isAtLeast(model.calls.length, 2)
      assert.deepStrictEqual(
        segments.map(({ speaker }) => speaker),
        model.calls.flatMap((_, index) => [`speaker_${2 * index}`, `speaker_${2 * index + 1}`])
      )
    })
  )
})
