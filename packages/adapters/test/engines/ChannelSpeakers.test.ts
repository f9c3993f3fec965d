/** Tests speakers by channel and by track, with a scripted engine. */
import { assert, describe, it } from "@effect/vitest"
import { ChannelSpeakers } from "@verbatim/adapters/engines"
import { Readiness, type Recognition, Transcriber } from "@verbatim/core/ports"
import type { Balance } from "@verbatim/core/transcription"
import { Effect, Layer } from "effect"

const loud = 3_000 ** 2

/** A balance in which the sides speak in turn for two seconds each. */
const balance = (sideCount: number, isSpeakerPerSide: boolean): Balance => ({
  sideCount,
  isSpeakerPerSide,
  powers: Float32Array.from(
    Array.from({ length: sideCount * 20 }, (_, frame) =>
      Array.from({ length: sideCount }, (__, side) => (side === Math.floor(frame / 20) ? loud : 0))
    ).flat()
  )
})

/**
 * Recognises three segments of two seconds, for which an engine that cannot tell speakers apart
 * returned the given speakers.
 */
const recognise = (
  speakers: ReadonlyArray<string>,
  { isDiarized = true, sides }: { readonly isDiarized?: boolean; readonly sides: Balance }
) => {
  const segments = speakers.map((speaker, index) => ({
    ...{ speaker, text: "x", startMillis: index * 2_000, endMillis: (index + 1) * 2_000 }
  }))
  const engine = Layer.succeed(Transcriber, {
    readiness: Effect.succeed(Readiness.cases.Ready.make({ engine: "x" })),
    transcribe: () =>
      Effect.succeed({ engine: "x", language: "en", segments, areSpeakersUnknown: true })
  })
  const recognition: Recognition = {
    audio: { path: "/x", sampleCount: 96_000, balance: sides },
    ...{ language: null, initialPrompt: null, isVadFiltered: false, isDiarized }
  }
  return Transcriber.pipe(
    Effect.flatMap((transcriber) => transcriber.transcribe(recognition)),
    Effect.provide(ChannelSpeakers.wrap(engine))
  )
}

const speakersOf = (...given: Parameters<typeof recognise>) =>
  Effect.map(recognise(...given), ({ segments }) => segments.map(({ speaker }) => speaker))

const numbered = ["speaker_0", "speaker_1", "speaker_2"]

describe("speakers by side", () => {
  it.effect("replace the engine's speakers if each side is known to have one speaker", () =>
    Effect.gen(function* () {
      const sides = balance(3, true)
      assert.deepStrictEqual(yield* speakersOf(["a", "b", "a"], { sides }), numbered)
      assert.deepStrictEqual(yield* speakersOf(["a", "a", "a"], { sides }), numbered)
    })
  )

  it.effect("are found in two channels if the engine finds only one speaker", () =>
    Effect.gen(function* () {
      const sides = balance(2, false)
      assert.deepStrictEqual(yield* speakersOf(["a", "a"], { sides }), numbered.slice(0, 2))
      assert.deepStrictEqual(yield* speakersOf(["b", "a"], { sides }), ["b", "a"])
      assert.isFalse((yield* recognise(["a", "a"], { sides })).areSpeakersUnknown)
      assert.isTrue((yield* recognise(["b", "a"], { sides })).areSpeakersUnknown)
    })
  )

  it.effect("are left out if the request disables diarization", () =>
    Effect.gen(function* () {
      const sides = balance(3, true)
      assert.deepStrictEqual(yield* speakersOf(["a", "b", "a"], { sides, isDiarized: false }), [
        ...["a", "b", "a"]
      ])
    })
  )
})
