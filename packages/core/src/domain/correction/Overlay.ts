/**
 * The overlay: all corrections of a transcript, that is, speaker names, and the texts, speakers,
 * splits and joins of segments. The recognised transcript itself never changes.
 *
 * Splits divide a recognised segment into fragments, which are identified by where they begin in
 * the recognised text. A correction therefore keeps its meaning when other segments are split or
 * joined.
 */
import { Schema } from "effect"

/** A segment's position among the recognised segments, counted from 0. */
export const SegmentIndex = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const NullableText = Schema.NullOr(Schema.String)

/** A recognised speaker, such as `speaker_0`, with a name; null if the speaker has no name. */
export const SpeakerNaming = Schema.Struct({ speaker: Schema.String, name: NullableText })
export type SpeakerNaming = typeof SpeakerNaming.Type

/** The corrected content of a fragment; null in a field keeps the recognised content. */
export const SegmentReading = Schema.Struct({
  index: SegmentIndex,
  /** The offset in the recognised text, in UTF-16 units; missing for the first fragment. */
  at: Schema.optionalKey(SegmentIndex.check(Schema.isGreaterThan(0))),
  text: NullableText,
  speaker: NullableText,
  /**
   * `split` if this fragment begins at a split; `joined` if it is the first of its recognised
   * segment and continues the segment before it.
   */
  edge: Schema.optionalKey(Schema.Literals(["joined", "split"]))
})
export type SegmentReading = typeof SegmentReading.Type

/** All corrections, as ordered lists without entries that equal the recognised content. */
export const Overlay = Schema.Struct({
  speakers: Schema.Array(SpeakerNaming),
  segments: Schema.Array(SegmentReading)
})
export type Overlay = typeof Overlay.Type

/** A change to some speakers and segments; all others stay unchanged. */
export type OverlayChange = Overlay

/** The overlay without corrections, which also stands for a change without effect. */
export const noCorrections: Overlay = { speakers: [], segments: [] }

/** Whether an overlay or a change is empty. */
export const isEmpty = ({ segments, speakers }: Overlay): boolean =>
  speakers.length === 0 && segments.length === 0

const isNamed = ({ name }: SpeakerNaming): boolean => name !== null

/** Whether a fragment differs from what was recognised. */
export const isCorrected = ({ edge, speaker, text }: SegmentReading): boolean =>
  text !== null || speaker !== null || edge !== undefined

const bySpeaker = (one: SpeakerNaming, other: SpeakerNaming): number => {
  if (one.speaker === other.speaker) return 0
  return one.speaker < other.speaker ? -1 : 1
}

const byIndex = (one: SegmentReading, other: SegmentReading): number =>
  one.index - other.index || (one.at ?? 0) - (other.at ?? 0)

/** Indexes the names by speaker. If a speaker was named several times, the last name counts. */
const speakersIn = ({ speakers }: Overlay) =>
  new Map(speakers.map((naming) => [naming.speaker, naming]))

/** Identifies a fragment: by a number if it is a whole segment, as most fragments are. */
const keyOf = ({ at, index }: SegmentReading): number | string =>
  at === undefined ? index : `${index}.${at}`

/**
 * Indexes the corrections by fragment. If a fragment occurs several times, the last correction
 * counts.
 */
const segmentsIn = ({ segments }: Overlay) =>
  new Map(segments.map((reading) => [keyOf(reading), reading]))

export const applyChange = (before: Overlay, change: OverlayChange): Overlay => {
  const speakers = new Map([...speakersIn(before), ...speakersIn(change)])
  const segments = new Map([...segmentsIn(before), ...segmentsIn(change)])
  return {
    speakers: [...speakers.values()].filter(isNamed).sort(bySpeaker),
    segments: [...segments.values()].filter(isCorrected).sort(byIndex)
  }
}

/** Returns a change that restores the recognised content of a fragment. */
const withoutCorrection = ({ at, index }: SegmentReading): SegmentReading => ({
  index,
  ...(at === undefined ? {} : { at }),
  text: null,
  speaker: null
})

/** Returns the smallest change from one overlay to another; empty if they are equal. */
export const diffOverlays = (before: Overlay, after: Overlay): OverlayChange => {
  const [speakersBefore, speakersAfter] = [speakersIn(before), speakersIn(after)]
  const [segmentsBefore, segmentsAfter] = [segmentsIn(before), segmentsIn(after)]
  const speakers: Array<SpeakerNaming> = []
  for (const speaker of new Set([...speakersBefore.keys(), ...speakersAfter.keys()])) {
    const name = speakersAfter.get(speaker)?.name ?? null
    if (name !== (speakersBefore.get(speaker)?.name ?? null)) speakers.push({ speaker, name })
  }
  const segments: Array<SegmentReading> = []
  for (const [key, earlier] of segmentsBefore) {
    if (!segmentsAfter.has(key)) segments.push(withoutCorrection(earlier))
  }
  for (const [key, reading] of segmentsAfter) {
    const { edge, speaker, text } = segmentsBefore.get(key) ?? withoutCorrection(reading)
    const isSame = text === reading.text && speaker === reading.speaker && edge === reading.edge
    if (!isSame) segments.push(reading)
  }
  return { speakers: speakers.sort(bySpeaker), segments: segments.sort(byIndex) }
}

/** Whether a change only undoes corrections and leaves fewer of them. */
export const isUndoing = (before: Overlay, change: OverlayChange): boolean => {
  const readings = segmentsIn(before)
  const isBack = (reading: SegmentReading): boolean => {
    const { edge, speaker, text } = reading
    const earlier = readings.get(keyOf(reading))
    const isTextSo = text === null || text === earlier?.text
    const isEdgeSo = edge === undefined || edge === earlier?.edge
    return isTextSo && isEdgeSo && (speaker === null || speaker === earlier?.speaker)
  }
  return !change.speakers.some(isNamed) && change.segments.every(isBack)
}

/**
 * The length counted for each changed segment or name in addition to its text: about one database
 * row.
 */
const changeLength = 40

/**
 * Returns the length, in UTF-16 units, of everything that an overlay adds: names, texts, speakers
 * of segments, and a fixed length for each split or join.
 */
export const lengthOf = ({ segments, speakers }: Overlay): number => {
  let length = 0
  for (const { name } of speakers) length += name?.length ?? 0
  for (const { edge, speaker, text } of segments) {
    length += (text?.length ?? 0) + (speaker?.length ?? 0) + (edge === undefined ? 0 : changeLength)
  }
  return length
}

const namesLength = (speakers: Overlay["speakers"]): number =>
  lengthOf({ speakers, segments: [] }) + changeLength * speakers.length

/**
 * Returns the length that a change takes up in the store: its texts, and a fixed length for each
 * changed segment or name. A version that changes a name is stored with the resulting names of all
 * speakers, so that it can be read on its own.
 */
export const keptLengthOf = (change: Overlay, after: Overlay): number => {
  const { segments, speakers } = change
  const known = speakers.length === 0 ? 0 : namesLength(after.speakers)
  const changed = lengthOf({ speakers: [], segments }) + changeLength * segments.length
  return changed + namesLength(speakers) + known
}
