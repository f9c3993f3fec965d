/** Segments can be split, joined and corrected in any order, as if they were lines of text. */
import { assert, describe, it } from "@effect/vitest"
import { scaleRuns } from "@verbatim/testkit/laws"
import { Effect, Option, Result, Schema } from "effect"
import { makeCorrector, makePartReader } from "#src/domain/correction/CorrectedTranscript"
import type { SegmentChange } from "#src/domain/correction/CorrectionInput"
import { addToOutline, noOutline } from "#src/domain/correction/CorrectionLimits"
import {
  applyChange,
  noCorrections,
  type Overlay,
  type SegmentReading
} from "#src/domain/correction/Overlay"
import { toReadings } from "#src/domain/correction/SegmentChanges"
import type { Segment, Transcript } from "#src/domain/transcription/Transcript"

const spelling = Schema.Literals(["Hel", "lo", "a", "é日", "🎙️x", "there."])

const anyTranscript = Schema.Struct({
  language: Schema.Literals(["en", "zh"]),
  segments: Schema.Array(
    Schema.Struct({
      words: Schema.Array(spelling).check(Schema.isMinLength(1), Schema.isMaxLength(4)),
      gap: Schema.Literals(["", " ", "  "]),
      isTimed: Schema.Boolean,
      hasSpaceBefore: Schema.optionalKey(Schema.Boolean)
    })
  ).check(Schema.isMinLength(1), Schema.isMaxLength(3))
})

/** Builds a transcript in which each word takes 100 ms, and each space 10 ms. */
const toTranscript = ({ language, segments }: typeof anyTranscript.Type): Transcript => {
  let millis = 0
  return {
    language,
    durationMillis: 10_000,
    segments: segments.map(({ gap, isTimed, words, ...rest }, index): Segment => {
      const timed = words.map((text) => {
        millis += 110
        return { startMillis: millis - 110, endMillis: millis - 10, text }
      })
      return {
        ...rest,
        startMillis: timed[0]?.startMillis ?? 0,
        endMillis: timed.at(-1)?.endMillis ?? 0,
        speaker: `speaker_${index % 2}`,
        text: words.join(gap),
        ...(isTimed ? { words: timed } : {})
      }
    })
  }
}

const share = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99 }))

/** Enough runs to cover every way to split and join. They take half a second. */
const often = { arbitrary: { runs: scaleRuns(400) } }

const anyStep = Schema.Struct({
  kind: Schema.Literals(["join", "split", "split", "text"]),
  place: share,
  offset: share,
  said: Schema.Literals(["Good day", "", "a b", "日本"])
})

const anySteps = Schema.Array(anyStep).check(Schema.isMinLength(4), Schema.isMaxLength(12))

const show = (transcript: Transcript, overlay: Overlay) =>
  makeCorrector(overlay)(transcript, 0).segments

const apply = (transcript: Transcript, overlay: Overlay, changes: ReadonlyArray<SegmentChange>) =>
  Result.map(
    toReadings(
      { outline: addToOutline(noOutline, transcript.segments), overlay, transcript },
      changes
    ),
    (change) => applyChange(overlay, change)
  )

/** Chooses an integer from `from` up to but excluding `to`. */
const choose = (share: number, from: number, to: number) =>
  from + Math.floor((share * Math.max(0, to - from)) / 100)

const toChange = (shown: ReadonlyArray<Segment>, step: typeof anyStep.Type): SegmentChange => {
  if (step.kind === "join") return { index: choose(step.place, 1, shown.length), join: true }
  const index = choose(step.place, 0, shown.length)
  if (step.kind === "text") return { index, text: step.said }
  const at = choose(step.offset, 1, shown[index]?.text.length ?? 0)
  return { index, split: { at, speaker: "Ben" } }
}

/** A segment's speaker, and its text without spaces. */
const toLine = ({ speaker, text }: Pick<Segment, "speaker" | "text">) => ({
  speaker,
  text: text.replace(/\s+/g, "")
})

/** Applies a change to lines of text. The tests compare the real code with this function. */
const edit = (shown: ReadonlyArray<Segment>, { index, join, split, text = "" }: SegmentChange) => {
  const none = { speaker: "", text: "" }
  const [line, before] = [shown[index] ?? none, shown[index - 1] ?? none]
  const lines = shown.map(toLine)
  if (join) {
    const joined = { ...before, text: before.text + line.text }
    return lines.toSpliced(index - 1, 2, toLine(joined))
  }
  if (split === undefined) return lines.toSpliced(index, 1, toLine({ ...line, text: text ?? "" }))
  const first = { ...line, text: line.text.slice(0, split.at) }
  const second = { speaker: split.speaker ?? "", text: line.text.slice(split.at) }
  return lines.toSpliced(index, 1, toLine(first), toLine(second))
}

/** Applies the steps in turn, and calls `visit` after each accepted step. */
const play = (
  transcript: Transcript,
  steps: ReadonlyArray<typeof anyStep.Type>,
  visit: (before: Overlay, after: Overlay, change: SegmentChange) => void = () => {}
): Overlay => {
  let overlay = noCorrections
  for (const step of steps) {
    const change = toChange(show(transcript, overlay), step)
    const after = apply(transcript, overlay, [change])
    if (Result.isFailure(after)) continue
    visit(overlay, after.success, change)
    overlay = after.success
  }
  return overlay
}

describe("corrected segments", () => {
  it.prop(
    "change in the same way as lines of text",
    [anyTranscript, anySteps],
    ([recognised, steps]) => {
      const transcript = toTranscript(recognised)
      play(transcript, steps, (before, after, change) => {
        const lines = edit(show(transcript, before), change)
        assert.deepStrictEqual(show(transcript, after).map(toLine), lines)
      })
    },
    often
  )

  it.prop(
    "never overlap, and stay within the recognised timestamps",
    [anyTranscript, anySteps],
    ([recognised, steps]) => {
      const transcript = toTranscript(recognised)
      let earliest = transcript.segments[0]?.startMillis ?? 0
      for (const { endMillis, startMillis } of show(transcript, play(transcript, steps))) {
        assert.isAtLeast(startMillis, earliest)
        assert.isAtLeast(endMillis, startMillis)
        earliest = endMillis
      }
      assert.strictEqual(earliest, transcript.segments.at(-1)?.endMillis)
    },
    often
  )

  it.prop(
    "get back their text and words when a split or a join is undone",
    [anyTranscript, anyStep, Schema.Boolean],
    ([recognised, { offset, place }, isSplit]) => {
      const transcript = toTranscript(recognised)
      const step = { offset, place, said: "" } as const
      const change = toChange(transcript.segments, { ...step, kind: isSplit ? "split" : "join" })
      const { index } = change
      const after = apply(transcript, noCorrections, [change])
      if (Result.isFailure(after)) return
      const shown = show(transcript, after.success)
      const at =
        (shown[index - 1]?.text.length ?? 0) - (transcript.segments[index]?.text.length ?? 0)
      const undoing = isSplit
        ? { index: index + 1, join: true as const }
        : { index: index - 1, split: { at } }
      const undone = apply(transcript, after.success, [undoing])
      assert.deepStrictEqual(Result.getOrThrow(undone), noCorrections)
    }
  )

  it.effect.prop(
    "are the same if they are read in parts, even if a part begins with a joined segment",
    [anyTranscript, anySteps, share],
    ([recognised, steps, seed]) =>
      Effect.gen(function* () {
        const transcript = toTranscript(recognised)
        const overlay = play(transcript, steps)
        const { segments, ...rest } = transcript
        const size = 1 + (seed % 3)
        const readPart = makePartReader(overlay, (before) => {
          const from = Option.getOrElse(
            Option.flatMap(before, ({ next }) => next),
            () => 0
          )
          const to = from + size
          const next = to < segments.length ? Option.some(to) : Option.none()
          return Effect.succeedSome({ ...rest, segments: segments.slice(from, to), next })
        })
        const read: Array<Segment> = []
        let part = yield* readPart(Option.none())
        while (Option.isSome(part)) {
          read.push(...part.value.segments)
          if (Option.isNone(part.value.next)) break
          part = yield* readPart(part)
        }
        assert.deepStrictEqual(read, [...show(transcript, overlay)])
      }),
    often
  )

  it("are never split within a character, even if it consists of several code points", () => {
    const text = "e\u0301👩‍👧👍🏽日本"
    const segment = { startMillis: 0, endMillis: 100, speaker: "speaker_0", text }
    const transcript = { language: "ja", durationMillis: 100, segments: [segment] }
    const split = (at: number) => apply(transcript, noCorrections, [{ index: 0, split: { at } }])
    const places = Array.from({ length: text.length }, (_, at) => at)
    const allowed = places.filter((at) => Result.isSuccess(split(at)))
    const characters = ["e\u0301", "👩‍👧", "👍🏽", "日"]
    const ends = characters.map((_, index) => characters.slice(0, index + 1).join("").length)
    assert.deepStrictEqual(allowed, ends)
  })

  it("can be joined or split thousands of times", () => {
    const size = 20_000
    const words = Array.from({ length: size }, (_, index) => {
      const startMillis = index * 100
      return { startMillis, endMillis: startMillis + 90, text: `word${index}` }
    })
    const segments = words.map((word) => ({ ...word, speaker: "speaker_0", words: [word] }))
    const transcript = { language: "en", durationMillis: 2_000_000, segments }
    const text = segments.map((each) => each.text).join(" ")
    const joined = segments.slice(1).map(
      (_, index): SegmentReading => ({
        ...{ index: index + 1, text: null, speaker: null },
        edge: "joined"
      })
    )
    const times = { startMillis: 0, endMillis: 1_999_990 }
    const whole = { ...times, speaker: "speaker_0", text, words }
    const [shown, ...others] = show(transcript, { speakers: [], segments: joined })
    assert.deepStrictEqual([shown, others], [whole, []])

    let at = 0
    const split = segments.slice(1).map((_, index): SegmentReading => {
      at += `word${index} `.length
      return { index: 0, at, text: null, speaker: null, edge: "split" }
    })
    const fragments = show({ ...transcript, segments: [whole] }, { speakers: [], segments: split })
    assert.deepStrictEqual(
      fragments.map(({ hasSpaceBefore: _, ...rest }) => rest),
      segments
    )
    // Splitting a joined segment where two segments were joined undoes that join.
    const overlay = { speakers: [], segments: joined }
    const undone = apply(transcript, overlay, [{ index: 0, split: { at: "word0 ".length } }])
    assert.lengthOf(Result.getOrThrow(undone).segments, size - 2)
  })
})
