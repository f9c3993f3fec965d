/** Laws for overlays, and for transcripts with corrections. */
import { assert, it } from "@effect/vitest"
import { scaleRuns } from "@verbatim/testkit/laws"
import { Effect, Equal, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { makeCorrector } from "#src/domain/correction/CorrectedTranscript"
import {
  applyChange,
  diffOverlays,
  noCorrections,
  type Overlay
} from "#src/domain/correction/Overlay"
import type { Segment } from "#src/domain/transcription/Transcript"

const always = <A>(
  title: string,
  { holds, of }: { readonly of: Arbitrary.Arbitrary<A>; readonly holds: (value: A) => boolean }
) =>
  it.effect(`an overlay ${title}`, () =>
    Effect.map(Arbitrary.checkEffect(of, holds, { runs: scaleRuns(100) }), (result) =>
      assert.isUndefined(Arbitrary.formatCheckFailure(result))
    )
  )

/** Maximum number of segments. There are few, so most corrections apply to existing segments. */
const segmentsMax = 12

const index = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: segmentsMax }))
const speaker = Schema.Literals(["speaker_0", "speaker_1", "Ana", "constructor", "__proto__"])
const words = Schema.Literals(["", " ", "Hel", "lo wor", "ld.", "Ana", "é日🎙️"])

const nameSpeaker = Schema.Struct({ speaker, name: Schema.NullOr(speaker) })
const reading = Schema.Struct({
  index,
  text: Schema.NullOr(words),
  speaker: Schema.NullOr(speaker)
})

const anyChange: Arbitrary.Arbitrary<Overlay> = Arbitrary.schema(
  Schema.Struct({
    speakers: Schema.Array(nameSpeaker).check(Schema.isMaxLength(4)),
    segments: Schema.Array(reading).check(Schema.isMaxLength(segmentsMax))
  })
)

const anyChanges = Arbitrary.all([anyChange, anyChange, anyChange, anyChange])

const segment: Schema.Codec<Segment, unknown> = Schema.Struct({
  startMillis: Schema.Literal(0),
  endMillis: Schema.Literal(900),
  speaker: Schema.Literals(["speaker_0", "speaker_1", "constructor"]),
  text: words,
  hasSpaceBefore: Schema.optionalKey(Schema.Boolean),
  words: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        startMillis: Schema.Literal(0),
        endMillis: Schema.Literal(400),
        text: words
      })
    ).check(Schema.isMaxLength(2))
  )
})

const anySegments = Arbitrary.schema(Schema.Array(segment).check(Schema.isMaxLength(segmentsMax)))

const bySpeaker = ({ speakers }: Overlay) =>
  new Map(speakers.map(({ name, speaker }) => [speaker, name]))

const byIndex = ({ segments }: Overlay) => new Map(segments.map((found) => [found.index, found]))

/** Whether all lists are ordered and have no entries that equal the recognised content. */
const isLeast = ({ segments, speakers }: Overlay): boolean =>
  speakers.every(({ name }) => name !== null) &&
  segments.every(({ speaker, text }) => text !== null || speaker !== null) &&
  speakers.every((each, position) => (speakers[position - 1]?.speaker ?? "") <= each.speaker) &&
  segments.every((each, position) => (segments[position - 1]?.index ?? -1) < each.index)

const stateOf = (changes: ReadonlyArray<Overlay>) => changes.reduce(applyChange, noCorrections)
always("contains all changes in order, except the changes that were undone", {
  of: anyChanges,
  holds: (changes) => {
    const overlay = stateOf(changes)
    const [names, readings] = [bySpeaker(overlay), byIndex(overlay)]
    const lastNames = new Map(changes.flatMap((change) => [...bySpeaker(change)]))
    const lastReadings = new Map(changes.flatMap((change) => [...byIndex(change)]))
    return (
      isLeast(overlay) &&
      [...lastNames].every(([name, last]) => (names.get(name) ?? null) === last) &&
      [...lastReadings].every(([position, last]) => {
        const { speaker = null, text = null } = readings.get(position) ?? {}
        return speaker === last.speaker && text === last.text
      })
    )
  }
})

always("can be changed back to any earlier version", {
  of: anyChanges,
  holds: (changes) => {
    const [earlier, later] = [stateOf(changes.slice(0, 2)), stateOf(changes)]
    const back = diffOverlays(later, earlier)
    return (
      Equal.equals(applyChange(later, back), earlier) &&
      Equal.equals(diffOverlays(later, later), noCorrections) &&
      Equal.equals(diffOverlays(earlier, earlier), noCorrections)
    )
  }
})

always("differs from another overlay only by changed entries", {
  of: anyChanges,
  holds: (changes) => {
    const [before, after] = [stateOf(changes.slice(0, 2)), stateOf(changes.slice(2))]
    const { segments, speakers } = diffOverlays(before, after)
    const [names, readings] = [bySpeaker(before), byIndex(before)]
    return (
      speakers.every(({ name, speaker }) => (names.get(speaker) ?? null) !== name) &&
      segments.every(({ index: position, speaker, text }) => {
        const earlier = readings.get(position)
        return (earlier?.text ?? null) !== text || (earlier?.speaker ?? null) !== speaker
      })
    )
  }
})

const read = (overlay: Overlay, segments: ReadonlyArray<Segment>, before = 0) =>
  makeCorrector(overlay)({ segments }, before).segments
always("leaves a transcript without corrections unchanged", {
  of: anySegments,
  holds: (segments) => {
    const part = { segments }
    return makeCorrector(noCorrections)(part, 0) === part
  }
})

always("never changes the recognised words and their timestamps", {
  of: Arbitrary.all([anyChange, anySegments]),
  holds: ([change, segments]) => {
    const before = JSON.stringify(segments)
    const corrected = read(applyChange(noCorrections, change), segments)
    return (
      JSON.stringify(segments) === before &&
      corrected.length === segments.length &&
      corrected.every(
        ({ endMillis, startMillis }, position) =>
          startMillis === segments[position]?.startMillis &&
          endMillis === segments[position].endMillis
      )
    )
  }
})

always("corrects a transcript's parts like the whole, wherever the transcript is split", {
  of: Arbitrary.all([anyChange, anySegments, Arbitrary.schema(index), Arbitrary.schema(index)]),
  holds: ([change, segments, one, other]) => {
    const overlay = applyChange(noCorrections, change)
    const [from, to] = [Math.min(one, other), Math.max(one, other)]
    const parts = [
      ...read(overlay, segments.slice(0, from)),
      ...read(overlay, segments.slice(from, to), Math.min(from, segments.length)),
      ...read(overlay, segments.slice(to), Math.min(to, segments.length))
    ]
    const pieces = segments.flatMap((each, position) => read(overlay, [each], position))
    const whole = [...read(overlay, segments)]
    return Equal.equals(parts, whole) && Equal.equals(pieces, whole)
  }
})

always("gives each segment its corrected text and speaker", {
  of: Arbitrary.all([anyChange, anySegments]),
  holds: ([change, segments]) => {
    const overlay = applyChange(noCorrections, change)
    const [names, readings] = [bySpeaker(overlay), byIndex(overlay)]
    return read(overlay, segments).every((corrected, position) => {
      const recognised = segments[position]
      if (recognised === undefined) return false
      const { speaker, text } = readings.get(position) ?? { speaker: null, text: null }
      const said = text ?? recognised.text
      const spoken = speaker ?? recognised.speaker
      const isBlankBefore = readings.get(position - 1)?.text?.trim() === ""
      const space =
        isBlankBefore && recognised.hasSpaceBefore === false ? true : recognised.hasSpaceBefore
      const timed = said === recognised.text ? recognised.words : undefined
      return (
        corrected.text === said &&
        corrected.speaker === (names.get(spoken) ?? spoken) &&
        corrected.hasSpaceBefore === space &&
        Equal.equals(corrected.words, timed)
      )
    })
  }
})
