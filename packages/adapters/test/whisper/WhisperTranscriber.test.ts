/** Tests the whole engine, with sherpa-onnx and small generated models for every role. */

import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { type RecognisePieces, type SampleRange, Transcriber } from "@verbatim/core/ports"
import type { PieceResult } from "@verbatim/core/transcription"
import { TranscriberContract } from "@verbatim/testkit/contracts"
import { Context, Effect, Exit, type FileSystem, Layer, Option, Result, type Scope } from "effect"
import * as Tiny from "./TinyModels.ts"
import {
  children,
  contents,
  high,
  low,
  makeWorkshop,
  silence,
  type WorkshopOptions
} from "./Workshop.ts"

const live = <A, E>(
  title: string,
  body: () => Effect.Effect<A, E, FileSystem.FileSystem | Scope.Scope>
) => it.live(title, () => body().pipe(Effect.scoped, Effect.provide(nodeFileSystem)))

const times = (segments: ReadonlyArray<{ startMillis: number; endMillis: number }>) =>
  segments.map(({ endMillis, startMillis }) => [startMillis, endMillis])

const near = (actual: ReadonlyArray<number> | undefined, expected: ReadonlyArray<number>) => {
  for (const [index, value] of expected.entries()) {
    assert.closeTo(actual?.[index] ?? Number.NaN, value, 120)
  }
}

describe("whisper", () => {
  live("returns the model's segments, shifted by the start of the piece", () =>
    Effect.gen(function* () {
      const { recognise, record } = yield* makeWorkshop()
      const audio = yield* record(silence(2), low(3), silence(4), low(3), silence(1))
      const { engine, language, segments } = yield* recognise(audio)
      assert.strictEqual(engine, "sherpa-onnx whisper")
      assert.strictEqual(language, "en")
      const text = segments.map((segment) => segment.text)
      assert.deepStrictEqual(text, ["good morning", "everyone", "good morning", "everyone"])
      const [first, second, third, fourth] = times(segments)
      // The model reports 0.2 to 0.8 and 0.8 to 1.2 s; speech begins at 2 s and at 9 s.
      near(first, [2_200, 2_800])
      near(second, [2_800, 3_200])
      near(third, [9_200, 9_800])
      near(fourth, [9_800, 10_200])
      assert.deepStrictEqual([...new Set(segments.map(({ speaker }) => speaker))], ["speaker_0"])
    })
  )

  live("cuts long speech, and reports its progress", () =>
    Effect.gen(function* () {
      const { recognise, record } = yield* makeWorkshop()
      const progress: Array<number> = []
      const onProgress = (fraction: number) =>
        Effect.sync(() => {
          progress.push(fraction)
        })
      const { segments } = yield* recognise(yield* record(low(70)), { onProgress })
      // There are three pieces of 23.3 s, with two segments each.
      assert.strictEqual(segments.length, 6)
      near(times(segments)[2], [23_500, 24_100])
      assert.isAtLeast(progress.length, 4)
      assert.isTrue(progress.every((fraction, index) => fraction >= (progress[index - 1] ?? 0)))
      assert.strictEqual(progress.at(-1), 1)
    })
  )

  live("keeps silence if requested, but returns no segments for pure silence", () =>
    Effect.gen(function* () {
      const { recognise, record } = yield* makeWorkshop()
      const audio = yield* record(silence(12), low(3), silence(12), low(3))
      const all = yield* recognise(audio, { isVadFiltered: false })
      near(times(all.segments)[0], [200, 800])
      const none = yield* recognise(yield* record(silence(5)), { isVadFiltered: false })
      assert.deepStrictEqual(none.segments, [])
      assert.deepStrictEqual((yield* recognise(yield* record(silence(0.01)))).segments, [])
    })
  )

  live("returns words with timestamps if the model was exported with its attention", () =>
    Effect.gen(function* () {
      const replacements = {
        "encoder.onnx": Tiny.whisperEncoder(true),
        "decoder.onnx": Tiny.whisperDecoder("en", true)
      }
      const { recognise, record } = yield* makeWorkshop({ replacements })
      const { segments } = yield* recognise(yield* record(silence(2), low(3)))
      assert.deepStrictEqual(
        segments.map(({ text, words = [] }) => [text, words.map((word) => word.text)]),
        [
          ["good morning", ["good", "morning"]],
          ["everyone", ["everyone"]]
        ]
      )
      const [good, morning, everyone] = times(segments.flatMap(({ words = [] }) => words))
      near(good, [2_200, 2_500])
      near(morning, [2_500, 2_800])
      near(everyone, [2_800, 3_200])
    })
  )

  live("runs SenseVoice, which returns each character as a word without spaces", () =>
    Effect.gen(function* () {
      const { recognise, record } = yield* makeWorkshop({ kinds: ["sense-voice", "vad"] })
      const audio = yield* record(silence(1), low(2), silence(2), low(2))
      const { engine, language, segments } = yield* recognise(audio)
      assert.strictEqual(engine, "sherpa-onnx sense-voice")
      assert.strictEqual(language, "ja")
      const texts = segments.map(({ text }) => text)
      assert.deepStrictEqual(texts, ["早上好。", "OK", "早上好。", "OK"])
      const words = segments[0]?.words ?? []
      assert.deepStrictEqual(
        words.map(({ text }) => text),
        ["早", "上", "好。"]
      )
      // The first character is in the third frame with audio.
      near(
        words.map(({ startMillis }) => startMillis),
        [1_120, 1_240, 1_360]
      )
      // A language that the job requests is never replaced.
      assert.strictEqual((yield* recognise(audio, { language: "zh" })).language, "zh")
      // Audio that is shorter than a frame counts as silence.
      assert.deepStrictEqual((yield* recognise(yield* record(low(0.03)))).segments, [])
    })
  )

  live("spells a keyword as requested only where a transducer misheard it", () =>
    Effect.gen(function* () {
      const { recognise, record } = yield* makeWorkshop({ kinds: ["transducer", "vad"] })
      const audio = yield* record(silence(1), low(2), silence(3), low(2))
      const hear = (...keywords: ReadonlyArray<string>) =>
        Effect.map(recognise(audio, { keywords }), ({ areKeywordsUsed, segments }) => ({
          texts: segments.map(({ text }) => text),
          areKeywordsUsed
        }))
      const plain = { texts: ["Phebe", "Phebe"] }
      assert.deepStrictEqual(yield* hear(), { ...plain, areKeywordsUsed: undefined })
      assert.deepStrictEqual(yield* hear("Zoë Baker", "Phoebe"), {
        texts: ["Phoebe", "Phoebe"],
        areKeywordsUsed: true
      })
      // The model has no tokens for some of these keywords, and the others are hot-word syntax.
      for (const keyword of ["Zyx", "#3", ":/@", "東京", "P".repeat(100)]) {
        assert.deepStrictEqual(yield* hear(keyword), { ...plain, areKeywordsUsed: true }, keyword)
      }
      const quiet = yield* recognise(yield* record(silence(3)), { keywords: ["Phoebe"] })
      assert.deepStrictEqual(quiet.segments, [])
    })
  )

  live("ignores keywords if they would make the model crash", () =>
    Effect.gen(function* () {
      for (const kind of ["whisper", "sense-voice", "moonshine"] as const) {
        const { recognise, record } = yield* makeWorkshop({ kinds: [kind, "vad"] })
        const audio = yield* record(low(2))
        const plain = yield* recognise(audio)
        assert.deepStrictEqual(yield* recognise(audio, { keywords: ["Phoebe"] }), plain)
        assert.isUndefined(plain.areKeywordsUsed)
      }
    })
  )
})

const garbage = Uint8Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 256)

describe("a recording in pieces", () => {
  live("is cut once and keeps its speakers, even if the process dies after each piece", () =>
    Effect.gen(function* () {
      const { recognise, record } = yield* makeWorkshop()
      const audio = yield* record(low(4), silence(3), high(4), silence(3), low(4))
      const undisturbed = yield* recognise(audio, { isDiarized: true })
      const stored: Array<PieceResult> = []
      const cuts: Array<ReadonlyArray<SampleRange>> = []
      /** Each attempt recognises one piece more than the one before. */
      const recognisePieces: RecognisePieces = Effect.fnUntraced(function* ({ cut, recognise }) {
        cuts.push(cut)
        const next = cut[stored.length]
        if (next !== undefined) stored.push(yield* recognise(next, []))
        if (stored.length < cut.length) return yield* Effect.die("killed")
        return stored
      })
      for (const isLast of [false, false, true]) {
        const attempt = yield* recognise(audio, {
          ...{ isDiarized: true, recognisePieces },
          cutOnce: (_, find) => (cuts[0] === undefined ? find : Effect.succeed([...cuts[0]]))
        }).pipe(Effect.exit)
        assert.strictEqual(Exit.isSuccess(attempt), isLast)
        if (Exit.isSuccess(attempt)) assert.deepStrictEqual(attempt.value, undisturbed)
      }
      assert.isTrue(cuts.every(([first]) => first === cuts[0]?.[0]))
      const speakers = undisturbed.segments.map(({ speaker }) => speaker)
      const [a, b] = ["speaker_0", "speaker_1"]
      assert.deepStrictEqual(speakers, [a, a, b, b, a, a])
    })
  )
})

describe("a voice model", () => {
  live("is the first one in the catalogue that is installed", () =>
    Effect.gen(function* () {
      const broken = { "voices.onnx": garbage }
      const both = ["whisper", "vad", "embedding", "voices"] as const
      const isRecognised = Effect.fnUntraced(function* (options: WorkshopOptions) {
        const { recognise, record } = yield* makeWorkshop(options)
        const audio = yield* record(low(4), silence(3), high(4))
        const { areSpeakersUnknown } = yield* recognise(audio, { isDiarized: true })
        return areSpeakersUnknown !== true
      }, Effect.option)
      const first = yield* isRecognised({ kinds: both, replacements: broken })
      assert.deepStrictEqual(first, Option.some(true))
      const missing = { ...broken, "embedding.onnx": null }
      const second = yield* isRecognised({ kinds: both, replacements: missing })
      assert.deepStrictEqual(second, Option.none())
    })
  )
})

describe("a damaged model", () => {
  const outcome = Effect.fnUntraced(function* (options: WorkshopOptions) {
    const { recognise, record, transcriber } = yield* makeWorkshop(options)
    const audio = yield* record(silence(1), low(2), silence(1), high(2))
    // Keywords make a transducer load its files twice.
    const settings = { isDiarized: true, keywords: ["Phoebe"] }
    const result = yield* Effect.result(recognise(audio, settings))
    // A child process that has failed must not be kept.
    if (result._tag === "Failure") assert.deepStrictEqual(children(), [])
    return { result, readiness: yield* transcriber.readiness }
  }, Effect.scoped)

  for (const [name, content] of Object.values(contents).flatMap((files) => Object.values(files))) {
    const other = (["sense-voice", "transducer"] as const).find((kind) => name.startsWith(kind))
    const kinds = other === undefined ? {} : { kinds: [other, "vad"] as const }
    const wrongs = {
      truncated: content.subarray(0, Math.floor(content.byteLength / 2)),
      corrupt: garbage,
      empty: new Uint8Array(),
      "of another kind": name === "vad.onnx" ? Tiny.embedding() : Tiny.vad()
    }
    for (const [wrong, replacements] of Object.entries(wrongs)) {
      live(`makes only the job fail: ${name} ${wrong}`, () =>
        Effect.gen(function* () {
          const { result } = yield* outcome({ ...kinds, replacements: { [name]: replacements } })
          // Half a list of tokens is still a valid list: words are missing, but the job does not
          // fail.
          const isFine = name.endsWith("tokens.txt") && wrong === "truncated"
          if (result._tag === "Success") return assert.isTrue(isFine)
          assert.strictEqual(result.failure.reason._tag, "EngineFailed")
          assert.notStrictEqual(result.failure.message, "EngineFailed: ")
        })
      )
    }

    live(`is reported as missing: ${name}`, () =>
      Effect.gen(function* () {
        const { readiness, result } = yield* outcome({ ...kinds, replacements: { [name]: null } })
        const required = ["encoder.onnx", "decoder.onnx", "tokens.txt"]
        const isServing = other === undefined && !required.includes(name)
        if (isServing) {
          // Without this model, all audio counts as the speech of one speaker.
          const isVoiceless = name === "embedding.onnx" || undefined
          const recognised = Result.getOrThrow(result)
          assert.strictEqual(recognised.areSpeakersUnknown, isVoiceless)
          return assert.strictEqual(readiness._tag, "Ready")
        }
        assert.strictEqual(readiness._tag, "Unavailable")
        assert.isTrue(
          result._tag === "Failure" && result.failure.reason._tag === "EngineUnavailable"
        )
      })
    )
  }
})

describe("a model with a tokenizer", () => {
  const text = (json: unknown) => Buffer.from(JSON.stringify(json))
  const notTokenizer = "not a tokenizer: tokenizer.json"
  const rows = [
    ["of its own", Tiny.moonshineTokenizer(), "good day"],
    ["of a smaller model", Tiny.moonshineTokenizer(4), "a token that its tokenizer does not have"],
    ["without tokens", text({ model: { vocab: {} }, added_tokens: [] }), "does not have"],
    [
      "with invalid numbers",
      text({ model: { vocab: { a: "b" } }, added_tokens: [] }),
      notTokenizer
    ],
    ["of another kind", text([]), notTokenizer],
    ["in another format", garbage, notTokenizer]
  ] as const

  for (const [which, tokenizer, expected] of rows) {
    live(`recognises speech, or fails with a clear error: ${which}`, () =>
      Effect.gen(function* () {
        const replacements = { "tokenizer.json": tokenizer }
        const workshop = yield* makeWorkshop({ kinds: ["moonshine", "vad"], replacements })
        const outcome = yield* Effect.result(workshop.recognise(yield* workshop.record(low(2))))
        assert.include(
          outcome._tag === "Success"
            ? outcome.success.segments.map((segment) => segment.text).join()
            : outcome.failure.message,
          expected
        )
      })
    )
  }
})

/**
 * Provides audio in which the small Whisper model recognises words, with the language that it
 * detects.
 */
const parts = (detected: string) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const { record, transcriber } = yield* makeWorkshop({ detected })
      const speech = {
        audio: yield* record(silence(1), low(2), silence(3), low(2)),
        text: "good morning everyone",
        language: "en" as const,
        detected,
        unsupported: "zh" as const
      }
      return Context.make(Transcriber, transcriber).pipe(
        Context.add(TranscriberContract.Speech, speech)
      )
    })
  ).pipe(Layer.provideMerge(nodeFileSystem))

TranscriberContract.suite("whisper", parts("de"))
TranscriberContract.suite("whisper, which hears Hawaiian", parts("haw"))
