import { assert, describe, it } from "@effect/vitest"
import { type RecognisePieces, recogniseUnstored } from "@verbatim/core/ports"
import { Effect, Schema } from "effect"
import { findQuietest, findSearchRange } from "#src/engines/pieces/Recording"
import { segmentsOf, toPieceResult } from "#src/engines/pieces/Timeline"
import { fieldsOf, fileOf, type ReceivedRequest, respondWith, serve } from "./ScriptedServer.ts"
import { tone, transcribe, writeAudio } from "./Transcribing.ts"

/** Returns the length of the audio in a request, in seconds. */
const secondsOf = (received: ReceivedRequest): number =>
  (fileOf(received).bytes.byteLength - 44) / 32_000

/** Returns the byte limit of requests that contain at most this many seconds of audio. */
const limitFor = (seconds: number): number => seconds * 32_000 + 64 * 1024

describe("long audio", () => {
  it.live("is cut at quiet points, and its segments get the right timestamps", () =>
    Effect.gen(function* () {
      const server = yield* serve((received) =>
        respondWith({
          text: "some words",
          language: "english",
          segments: [
            { start: 0, end: secondsOf(received) / 2, text: " some" },
            { start: secondsOf(received) / 2, end: secondsOf(received), text: " words" }
          ]
        })
      )
      const audio = yield* writeAudio(tone(25, [8, 16.5]))
      const reported: Array<number> = []
      const onProgress = (fraction: number) => Effect.sync(() => void reported.push(fraction))
      const { segments } = yield* transcribe(server.url, {
        options: { maxUploadBytes: limitFor(10) },
        recognition: { audio, initialPrompt: "Verbatim", onProgress }
      })
      assert.deepStrictEqual(reported, [...new Set(reported)].sort())
      assert.deepStrictEqual([reported.length > 1, reported.at(-1)], [true, 1])
      const lengths = server.received.map(secondsOf)
      assert.deepStrictEqual(
        lengths.map((seconds) => Math.round(seconds * 5) / 5),
        [8, 8.4, 8.6]
      )
      assert.strictEqual(
        lengths.reduce((sum, each) => sum + each),
        25
      )
      assert.isTrue(
        server.received.every((received) => fieldsOf(received).includes("prompt=Verbatim"))
      )
      for (const received of server.received) assert.isAtMost(received.byteLength, limitFor(10))
      // No audio sample is lost, repeated or changed.
      const sent = Buffer.concat(
        server.received.map((received) => fileOf(received).bytes.subarray(44))
      )
      assert.isTrue(sent.equals(Buffer.from(tone(25, [8, 16.5]))))

      const begins = [0, 4, 8, 12.25, 16.5, 20.75]
      assert.strictEqual(segments.length, begins.length)
      for (const [index, { startMillis }] of segments.entries()) {
        assert.approximately(startMillis / 1_000, begins[index] ?? 0, 0.15)
      }
    })
  )

  it.live("is not transcribed any further after one piece has failed", () =>
    Effect.gen(function* () {
      const server = yield* serve((_, index) =>
        index === 0 ? respondWith({ text: "a", language: "en" }) : { status: 400, body: "" }
      )
      const audio = yield* writeAudio(tone(25))
      const error = yield* Effect.flip(
        transcribe(server.url, {
          options: { maxUploadBytes: limitFor(10) },
          recognition: { audio }
        })
      )
      assert.strictEqual(error.reason._tag, "EngineRefused")
      assert.strictEqual(server.received.length, 2)
    })
  )

  it.live("gets the language in which most of its text is written", () =>
    Effect.gen(function* () {
      const answers = [
        { text: "Ja.", language: "german" },
        { text: "This is all in English, you know.", language: "english" },
        { text: "Yes it is, most of it.", language: "english" }
      ]
      const server = yield* serve((_, index) => respondWith(answers[index]))
      const audio = yield* writeAudio(tone(25))
      const { language } = yield* transcribe(server.url, {
        options: { maxUploadBytes: limitFor(10) },
        recognition: { audio }
      })
      assert.strictEqual(language, "en")
    })
  )

  it.live("is cut into half-minute pieces for models that return no timestamps", () =>
    Effect.gen(function* () {
      const server = yield* serve((_, index) => respondWith({ text: `Part ${index}.` }))
      const audio = yield* writeAudio(tone(70))
      const { segments } = yield* transcribe(server.url, {
        options: { model: "gpt-4o-transcribe" },
        recognition: { audio, language: "en" }
      })
      assert.deepStrictEqual(
        segments.map(({ text }) => text),
        ["Part 0.", "Part 1.", "Part 2."]
      )
      assert.isTrue(server.received.every((received) => secondsOf(received) <= 30))
      assert.strictEqual(segments.at(-1)?.endMillis, 70_000)
    })
  )

  it.live("has one language in all pieces, even if the server reports none", () =>
    Effect.gen(function* () {
      const server = yield* serve((_, index) => respondWith({ text: ["你好。", "1,2"][index % 2] }))
      const audio = yield* writeAudio(tone(40))
      const languagesOf = Effect.fnUntraced(function* (language: "ja" | null) {
        const found: Array<string | undefined> = []
        const recognisePieces: RecognisePieces = (plan) =>
          Effect.tap(recogniseUnstored(plan), (results) =>
            Effect.sync(() => found.push(...results.map((result) => result.language)))
          )
        const options = { model: "gpt-4o-transcribe" }
        const recognition = { audio, language, recognisePieces }
        const transcript = yield* transcribe(server.url, { options, recognition })
        return [transcript.language, ...found]
      })
      assert.deepStrictEqual(yield* languagesOf("ja"), ["ja", "ja", "ja"])
      assert.deepStrictEqual(yield* languagesOf(null), ["zh", "zh", undefined])
    })
  )

  it.live("has the same speaker names in all pieces, because requests contain voice samples", () =>
    Effect.gen(function* () {
      const turn = (speaker: string, start: number, end: number) => ({
        type: "transcript.text.segment",
        id: `${start}`,
        start,
        end,
        speaker,
        text: speaker
      })
      const answers = [
        [turn("A", 0, 4), turn("B", 4, 5), turn("A", 5, 6), turn("B", 6, 9)],
        // The first known voice speaks again, and then a new voice.
        [turn("speaker_0", 0, 3), turn("A", 3, 6)]
      ]
      const server = yield* serve((_, index) =>
        respondWith({ text: "x", segments: answers[index] })
      )
      const voices = 4 * (Math.ceil(((8 * 32_000 + 44) * 4) / 3) + 100)
      const audio = yield* writeAudio(tone(18, [9]))
      const { segments } = yield* transcribe(server.url, {
        options: { model: "gpt-4o-transcribe-diarize", maxUploadBytes: limitFor(10) + voices },
        recognition: { audio, language: "en", isDiarized: true }
      })
      assert.deepStrictEqual(
        segments.map(({ speaker }) => speaker),
        ["speaker_0", "speaker_1", "speaker_0", "speaker_1", "speaker_0", "speaker_2"]
      )
      const [first, second] = server.received
      if (first === undefined || second === undefined) return assert.fail("two pieces")
      assert.isFalse(fieldsOf(first).some((field) => field.startsWith("known_speaker")))
      const known = fieldsOf(second).filter((field) => field.startsWith("known_speaker"))
      assert.deepStrictEqual(known.slice(0, 2), [
        "known_speaker_names[]=speaker_0",
        "known_speaker_names[]=speaker_1"
      ])
      const url = /^known_speaker_references\[\]=data:audio\/wav;base64,(.*)$/
      const samples = known
        .slice(2)
        .map((field) => Buffer.from(url.exec(field)?.[1] ?? "", "base64"))
      const pcm = Buffer.from(tone(18, [9]))
      assert.isTrue(samples[0]?.subarray(44).equals(pcm.subarray(0, 4 * 32_000)))
      // The speaker turn ends with the piece, in the silence around the ninth second.
      const tail = samples[1]?.subarray(44) ?? Buffer.alloc(0)
      assert.approximately(tail.byteLength / 32_000, 3, 0.15)
      assert.isTrue(tail.equals(pcm.subarray(6 * 32_000).subarray(0, tail.byteLength)))
    })
  )
})

describe("a cut in long audio", () => {
  it.prop(
    "lies within the remaining audio, and leaves pieces that fit the limit",
    [
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 600_000_000 })),
      Schema.Int.check(Schema.isBetween({ minimum: 80_000, maximum: 15_000_000 }))
    ],
    ([length, sampleMax]) => {
      const search = findSearchRange({ from: 0, to: length }, sampleMax)
      if (search === undefined) return assert.isAtMost(length, sampleMax)
      assert.isAbove(search.from, 0)
      assert.isAbove(search.to, search.from)
      assert.isAtMost(search.to, Math.min(sampleMax, length - 1))
      // At most one piece is unnecessary, and the last one is not tiny.
      assert.isAtLeast(search.from, sampleMax / 4)
    }
  )

  it("lies in the middle of the quietest range", () => {
    const found = findQuietest(tone(4, [2.5])) / 16_000
    assert.approximately(found, 2.5, 0.1)
    assert.strictEqual(findQuietest(new Uint8Array(0)), 0)
    assert.isUndefined(findSearchRange({ from: 0, to: 10 }, 10))
  })
})

const answer = (start: number, speaker?: string) => ({
  start,
  end: start + 1,
  text: "Hello.",
  hasSpaceBefore: undefined,
  speaker,
  words: []
})

const piece = (index: number, speakers: ReadonlyArray<string | undefined>) => ({
  startMillis: index * 10_000,
  endMillis: (index + 1) * 10_000,
  result: toPieceResult(
    { language: "en", segments: speakers.map((speaker, at) => answer(at, speaker)) },
    { known: new Set(index === 0 ? [] : ["speaker_0"]), millis: 10_000 }
  )
})

describe("a segment without a speaker", () => {
  it("belongs to the previous speaker, even if a voice sample identified that speaker", () => {
    const pieces = [piece(0, ["A", "B"]), piece(1, ["speaker_0", undefined, "C", undefined])]
    assert.deepStrictEqual(
      segmentsOf(pieces, { isDiarized: true }).map(({ speaker }) => speaker),
      ["speaker_0", "speaker_1", "speaker_0", "speaker_0", "speaker_2", "speaker_2"]
    )
  })
})
