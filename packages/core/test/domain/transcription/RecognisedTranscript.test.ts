import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { hasControl, isStorable } from "#src/domain/schema/StorableText"
import { toTranscript } from "#src/domain/transcription/RecognisedTranscript"
import { type Segment, Transcript } from "#src/domain/transcription/Transcript"

const durationMillis = 10_000

const heard = (segments: ReadonlyArray<Segment>, isDiarized = true) =>
  toTranscript({ recognised: { language: "en", segments }, durationMillis, isDiarized })

const said = (startMillis: number, endMillis: number, speaker = "A", text = "yes"): Segment => ({
  startMillis,
  endMillis,
  speaker,
  text
})

const millis = Schema.Union([Schema.Number, Schema.Literals([-1, 0, 0.4, 9_999.6, 10_001])])
const text = Schema.Union([
  Schema.String,
  Schema.Literals(["a\0b", "\u001b[31mred\u0007", "\ud83d", "\ude00x", "", " "])
])
const timeRange = { startMillis: millis, endMillis: millis, text }
const anySegments = Arbitrary.schema(
  Schema.Array(
    Schema.Struct({
      ...timeRange,
      speaker: text,
      hasSpaceBefore: Schema.optionalKey(Schema.Boolean),
      words: Schema.optionalKey(Schema.Array(Schema.Struct(timeRange)))
    })
  )
)

const isKept = (text: string) => isStorable(text) && !hasControl(text)

const isTranscript = Schema.is(Transcript)

const areInOrder = (ranges: ReadonlyArray<Pick<Segment, "startMillis" | "endMillis">>) =>
  ranges.every(
    ({ endMillis, startMillis }, index) =>
      startMillis >= (ranges[index - 1]?.startMillis ?? 0) &&
      endMillis >= startMillis &&
      endMillis <= durationMillis
  )

describe("A recognised transcript", () => {
  it("keeps an engine's correct output unchanged", () => {
    const words = [{ startMillis: 100, endMillis: 400, text: "yes" }]
    const segments = [{ ...said(100, 400, "speaker_0"), words }, said(400, 900, "speaker_1", "no")]
    assert.deepStrictEqual(heard(segments), { durationMillis, language: "en", segments })
  })

  it("numbers speakers in order of appearance, or merges them into one", () => {
    const segments = [said(5_000, 6_000, "B"), said(0, 1_000, "A"), said(7_000, 8_000, "A")]
    const speakers = (isDiarized: boolean) =>
      heard(segments, isDiarized).segments.map(({ speaker }) => speaker)
    assert.deepStrictEqual(speakers(true), ["speaker_0", "speaker_1", "speaker_0"])
    assert.deepStrictEqual(speakers(false), ["speaker_0", "speaker_0", "speaker_0"])
  })

  describe("the space before a segment", () => {
    const flagged = (hasSpaceBefore: boolean, ...rest: Parameters<typeof said>): Segment => ({
      ...said(...rest),
      hasSpaceBefore
    })
    /** Returns the text of each segment, and whether there is a space before it. */
    const flags = (language: string, segments: ReadonlyArray<Segment>) => {
      const recognised = { language, segments }
      return toTranscript({ recognised, durationMillis, isDiarized: true }).segments.map(
        ({ hasSpaceBefore, text }) => `${text} ${hasSpaceBefore}`
      )
    }

    it("is stored if it differs from the rule for the language", () => {
      const segments = [
        flagged(true, 0, 1, "A", "Hel"),
        flagged(false, 1, 2, "A", "lo"),
        flagged(true, 2, 3, "A", "you")
      ]
      assert.deepStrictEqual(flags("en", segments), ["Hel undefined", "lo false", "you undefined"])
      assert.deepStrictEqual(flags("zh", segments), ["Hel undefined", "lo undefined", "you true"])
    })

    it("is taken from a blank segment before it", () => {
      const between = (blank: Segment) => [
        flagged(true, 0, 1, "A", "to"),
        blank,
        flagged(false, 2, 3, "A", "day")
      ]
      const kept = ["to undefined", "day false"]
      const parted = ["to undefined", "day undefined"]
      assert.deepStrictEqual(flags("en", between(flagged(false, 1, 2, "A", ""))), kept)
      assert.deepStrictEqual(flags("en", between(flagged(false, 1, 2, "A", " "))), parted)
      assert.deepStrictEqual(flags("en", between(flagged(true, 1, 2, "A", ""))), parted)
    })

    it("is dropped if sorting puts another segment before it", () => {
      const segments = [
        flagged(true, 0, 1, "A", "Hel"),
        flagged(false, 2, 3, "A", "lo"),
        flagged(true, 1, 2, "B", "Yes")
      ]
      assert.deepStrictEqual(flags("en", segments), [
        "Hel undefined",
        "Yes undefined",
        "lo undefined"
      ])
    })
  })

  it.prop("can be stored, whatever an engine returns", [anySegments], ([segments]) => {
    const transcript = heard(segments)
    const ranges = [transcript.segments, ...transcript.segments.map(({ words }) => words ?? [])]
    const texts = ranges.flat().map(({ text }) => text)
    return isTranscript(transcript) && ranges.every(areInOrder) && texts.every(isKept)
  })
})
