import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { bareText, bodies, said, seconds, text, turns } from "./Conversation.ts"
import { type Answer, answers, makeModel, transcribe } from "./Models.ts"

/** A provider's response, as the provider's package returns it. */
type Recorded = readonly [provider: string, parts: Partial<Answer>]

const bodyOf = (body: unknown) => ({ timestamp: new Date(0), modelId: "scripted", body })

/** The segments that the SDK itself returns for most providers, without speakers. */
const bare = said.map((word) => ({ text: bareText(word.text), ...seconds(word) }))

const recorded: ReadonlyArray<Recorded> = [
  ["deepgram", { response: bodyOf(bodies.deepgram) }],
  [
    "assemblyai",
    { providerMetadata: { assemblyai: { utterances: bodies.assemblyai.utterances } } }
  ],
  ["elevenlabs", { response: bodyOf(bodies.elevenlabs) }],
  ["gladia", { providerMetadata: { gladia: bodies.gladia } }],
  ["revai", { response: bodyOf(bodies.revai) }],
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
  ["fal", { response: bodyOf(bodies.fal) }],
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
  ["xai", { response: bodyOf(bodies.xai) }]
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
  for (const [provider, parts] of recorded) {
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
      const [, , [, parts] = ["", {}]] = recorded
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
