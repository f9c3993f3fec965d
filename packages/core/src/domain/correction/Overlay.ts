/**
 * What people have corrected of a transcript: names for its speakers, and the text or the speaker
 * of single segments. It lies over what was recognised, which never changes.
 */
import { Schema } from "effect"

/** Where a segment stands among the recognised ones, counted from 0. */
export const SegmentIndex = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const given = Schema.NullOr(Schema.String)

/** A speaker as recognised, such as `speaker_0`, and the name it goes by; null for none. */
export const SpeakerNaming = Schema.Struct({ speaker: Schema.String, name: given })
export type SpeakerNaming = typeof SpeakerNaming.Type

/** How a segment reads. Null stands for what was recognised. */
export const SegmentReading = Schema.Struct({ index: SegmentIndex, text: given, speaker: given })
export type SegmentReading = typeof SegmentReading.Type

/** Everything that is corrected, each list in order, without what is as it was recognised. */
export const Overlay = Schema.Struct({
  speakers: Schema.Array(SpeakerNaming),
  segments: Schema.Array(SegmentReading)
})
export type Overlay = typeof Overlay.Type

/** What becomes of some speakers and some segments. The others stay as they are. */
export type OverlayChange = Overlay

/** Nothing is corrected, or nothing changes. */
export const noCorrections: Overlay = { speakers: [], segments: [] }

/** Whether nothing is corrected, or nothing changes. */
export const isEmpty = ({ segments, speakers }: Overlay): boolean =>
  speakers.length === 0 && segments.length === 0

const isNamed = ({ name }: SpeakerNaming): boolean => name !== null

const isCorrected = ({ speaker, text }: SegmentReading): boolean =>
  text !== null || speaker !== null

const bySpeaker = (one: SpeakerNaming, other: SpeakerNaming): number => {
  if (one.speaker === other.speaker) return 0
  return one.speaker < other.speaker ? -1 : 1
}

const byIndex = (one: SegmentReading, other: SegmentReading): number => one.index - other.index

/** Namings by their speakers: the last one of a speaker counts. */
const speakersIn = ({ speakers }: Overlay) =>
  new Map(speakers.map((naming) => [naming.speaker, naming]))

/** Readings by their segments: the last one of a segment counts. */
const segmentsIn = ({ segments }: Overlay) =>
  new Map(segments.map((reading) => [reading.index, reading]))

/** The overlay after a change. */
export const applyChange = (before: Overlay, change: OverlayChange): Overlay => {
  const speakers = new Map([...speakersIn(before), ...speakersIn(change)])
  const segments = new Map([...segmentsIn(before), ...segmentsIn(change)])
  return {
    speakers: [...speakers.values()].filter(isNamed).sort(bySpeaker),
    segments: [...segments.values()].filter(isCorrected).sort(byIndex)
  }
}

/** The least that leads from one overlay to another; empty when they are equal. */
export const diffOverlays = (before: Overlay, after: Overlay): OverlayChange => {
  const [speakersBefore, speakersAfter] = [speakersIn(before), speakersIn(after)]
  const [segmentsBefore, segmentsAfter] = [segmentsIn(before), segmentsIn(after)]
  const speakers: Array<SpeakerNaming> = []
  for (const speaker of new Set([...speakersBefore.keys(), ...speakersAfter.keys()])) {
    const name = speakersAfter.get(speaker)?.name ?? null
    if (name !== (speakersBefore.get(speaker)?.name ?? null)) speakers.push({ speaker, name })
  }
  const segments: Array<SegmentReading> = []
  for (const index of new Set([...segmentsBefore.keys(), ...segmentsAfter.keys()])) {
    const { speaker = null, text = null } = segmentsAfter.get(index) ?? {}
    const earlier = segmentsBefore.get(index)
    const isSame = text === (earlier?.text ?? null) && speaker === (earlier?.speaker ?? null)
    if (!isSame) segments.push({ index, text, speaker })
  }
  return { speakers: speakers.sort(bySpeaker), segments: segments.sort(byIndex) }
}

/** Whether a change only puts back what was recognised: there is less to correct after it. */
export const isUndoing = (before: Overlay, change: OverlayChange): boolean => {
  const readings = segmentsIn(before)
  const isBack = ({ index, speaker, text }: SegmentReading): boolean => {
    const earlier = readings.get(index)
    const isTextSo = text === null || text === earlier?.text
    return isTextSo && (speaker === null || speaker === earlier?.speaker)
  }
  return !change.speakers.some(isNamed) && change.segments.every(isBack)
}

/** UTF-16 units of everything that an overlay adds: names, texts, and speakers of segments. */
export const lengthOf = ({ segments, speakers }: Overlay): number => {
  let length = 0
  for (const { name } of speakers) length += name?.length ?? 0
  for (const { speaker, text } of segments) length += (text?.length ?? 0) + (speaker?.length ?? 0)
  return length
}

/** What each changed segment and name costs beside its text: about what its row takes. */
const changeLength = 40

const namesLength = (speakers: Overlay["speakers"]): number =>
  lengthOf({ speakers, segments: [] }) + changeLength * speakers.length

/**
 * The length of a change as it is kept: what it adds, and something for each part of it. A version
 * that changes a name is kept with the names of all speakers after it, so that it is found alone.
 */
export const keptLengthOf = (change: Overlay, after: Overlay): number => {
  const { segments, speakers } = change
  const known = speakers.length === 0 ? 0 : namesLength(after.speakers)
  const changed = lengthOf({ speakers: [], segments }) + changeLength * segments.length
  return changed + namesLength(speakers) + known
}
