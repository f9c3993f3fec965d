/**
 * Tests how segments get speakers by channel or by track, with a scripted engine, and how speaker
 * turns are found.
 */
import { assert, describe, it } from "@effect/vitest"
import { ChannelSpeakers } from "@verbatim/adapters/engines"
import { Readiness, type Recognition, Transcriber } from "@verbatim/core/ports"
import type { Balance } from "@verbatim/core/transcription"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"

const loud = 3_000 ** 2

/** Describes how loud two or three sides are if they speak in turn, for two seconds each. */
const balance = (sideCount: number, isSpeakerPerSide: boolean): Balance => ({
  sideCount,
  isSpeakerPerSide,
  powers: Float32Array.from(
    Array.from({ length: sideCount * 20 }, (_, frame) =>
      Array.from({ length: sideCount }, (__, side) => (side === Math.floor(frame / 20) ? loud : 0))
    ).flat()
  )
})

/** Returns three two-second segments with the given speakers, as an engine returns them. */
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

describe("speakers by channel or track", () => {
  it.effect("replace the engine's speakers if each side has only one speaker", () =>
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

  it.effect("are omitted if the request turns diarization off", () =>
    Effect.gen(function* () {
      const sides = balance(3, true)
      assert.deepStrictEqual(yield* speakersOf(["a", "b", "a"], { sides, isDiarized: false }), [
        ...["a", "b", "a"]
      ])
    })
  )
})

const quiet = 3 ** 2

type Frame = ReadonlyArray<number>

/**
 * Returns frames in which one side speaks for the given tenths of a second, and the other is barely
 * audible.
 */
const side = (speaker: 0 | 1, tenths: number): ReadonlyArray<Frame> => {
  const [near, far] = [loud, loud / 25]
  return Array.from({ length: tenths }, () => (speaker === 0 ? [near, far] : [far, near]))
}

const both = (tenths: number) => Array.from({ length: tenths }, () => [loud, loud])
const silence = (tenths: number) => Array.from({ length: tenths }, () => [quiet, quiet / 100])

const turnsFrom = (frames: ReadonlyArray<Frame>, isSpeakerPerSide = false) =>
  ChannelSpeakers.turnsFrom({
    sideCount: frames[0]?.length ?? 2,
    powers: Float32Array.from(frames.flat()),
    isSpeakerPerSide
  })

/**
 * Returns frames in which one of three sides speaks for the given tenths of a second, slightly
 * louder than the next side.
 */
const threeSides = (speaker: number, tenths: number): ReadonlyArray<Frame> =>
  Array.from({ length: tenths }, () =>
    [0, 1, 2].map((each) => (each === speaker ? loud : loud / 2))
  )

describe("speaker turns by channel", () => {
  it("go to the louder side, even while its speaker pauses for breath", () => {
    const frames = [...silence(5), ...side(1, 10), ...silence(3), ...side(1, 7), ...side(0, 20)]
    assert.deepStrictEqual(turnsFrom(frames), [
      { speaker: 1, startMillis: 500, endMillis: 2_500 },
      { speaker: 0, startMillis: 2_500, endMillis: 4_500 }
    ])
  })

  it("are missing if both channels have the same audio, or if one channel is silent", () => {
    const none = [
      both(100),
      [...both(100), ...side(0, 20), ...side(1, 20)],
      side(0, 200),
      [...side(0, 200), ...side(1, 9)],
      silence(100),
      []
    ]
    for (const frames of none) assert.isNull(turnsFrom(frames))
  })

  it("are missing for three channels, unless each side has only one speaker", () => {
    const frames = [0, 1, 2].flatMap((voice) => threeSides(voice, 30))
    assert.isNull(turnsFrom(frames))
  })

  it("go to the loudest of any number of sides if each side has only one speaker", () => {
    const frames = [...threeSides(2, 4), ...threeSides(0, 3), ...threeSides(1, 2)]
    assert.deepStrictEqual(turnsFrom(frames, true), [
      { speaker: 2, startMillis: 0, endMillis: 400 },
      { speaker: 0, startMillis: 400, endMillis: 700 },
      { speaker: 1, startMillis: 700, endMillis: 900 }
    ])
  })

  it("are in order, do not overlap, and switch sides if the channels are switched", () => {
    const stretches = fc.array(
      fc.oneof(
        fc
          .tuple(fc.constantFrom(0 as const, 1 as const), fc.nat(40))
          .map(([who, n]) => side(who, n)),
        fc.nat(20).map(silence),
        fc.nat(10).map(both)
      ),
      { maxLength: 20 }
    )
    fc.assert(
      fc.property(stretches, (parts) => {
        const frames = parts.flat()
        const turns = turnsFrom(frames)
        const mirrored = frames.map((frame) => frame.toReversed())
        const expected = turns?.map((turn) => ({ ...turn, speaker: 1 - turn.speaker })) ?? null
        assert.deepStrictEqual(turnsFrom(mirrored), expected)
        let latest = 0
        for (const { endMillis, startMillis } of turns ?? []) {
          assert.isAtLeast(startMillis, latest)
          assert.isAbove(endMillis, startMillis)
          latest = endMillis
        }
        assert.isAtMost(latest, frames.length * 100)
      })
    )
  })
})
