/**
 * A transcript as it stands: what was recognised, read through its corrections. A part of it is
 * read like the whole, by the number of segments before it.
 *
 * A corrected text has no timed words any more: nobody can say when a word was spoken that was put
 * there by hand. Renderings share the time of the segment out, as they do for engines that time
 * no words.
 */
import type { Segment } from "../transcription/Transcript.ts"
import { isEmpty, type Overlay, type SegmentReading } from "./Overlay.ts"

/** What has segments: a transcript, or a part of one. */
interface Segmented {
  readonly segments: ReadonlyArray<Segment>
}

/** Reads the segments that follow that many others. What has no corrections stays the same. */
export type Corrector = <A extends Segmented>(part: A, before: number) => A

const asRecognised: Corrector = (part) => part

/** Where the first reading of a segment, or of a later one, is in a list in order. */
const placeOf = (readings: ReadonlyArray<SegmentReading>, index: number): number => {
  let [from, to] = [0, readings.length]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if ((readings[middle]?.index ?? index) < index) from = middle + 1
    else to = middle
  }
  return from
}

/** The segment that a reading is of; none is after the last one. */
const indexAt = (readings: ReadonlyArray<SegmentReading>, place: number): number =>
  readings[place]?.index ?? Number.POSITIVE_INFINITY

const isBlank = (reading: SegmentReading | undefined): boolean => reading?.text?.trim() === ""

/** What becomes of a segment. */
interface Outcome {
  readonly speaker: string
  readonly text: string
  /** Whether the word before it, which it went on with, is gone. */
  readonly isParted: boolean
}

const correct = (segment: Segment, { isParted, speaker, text }: Outcome): Segment => {
  const { endMillis, hasSpaceBefore, startMillis, words } = segment
  const isSaid = text === segment.text
  if (speaker === segment.speaker && isSaid && !isParted) return segment
  // Copied by name: with a name for every speaker, spreading made ten hours a half slower.
  const corrected = { startMillis, endMillis, speaker, text }
  if (hasSpaceBefore === undefined && words === undefined) return corrected
  return {
    ...corrected,
    ...(hasSpaceBefore === undefined ? {} : { hasSpaceBefore: hasSpaceBefore || isParted }),
    ...(isSaid && words !== undefined ? { words } : {})
  }
}

/** A segment under the name of its speaker: of ten hours nearly all that is corrected. */
const rename = (segment: Segment, speaker: string): Segment => {
  if (speaker === segment.speaker) return segment
  const { endMillis, hasSpaceBefore, startMillis, text, words } = segment
  return hasSpaceBefore === undefined && words === undefined
    ? { startMillis, endMillis, speaker, text }
    : correct(segment, { speaker, text, isParted: false })
}

/** Makes the reader of one overlay, for a transcript and for each of its parts. */
export const makeCorrector = (overlay: Overlay): Corrector => {
  if (isEmpty(overlay)) return asRecognised
  const { segments: readings, speakers } = overlay
  const names = new Map(speakers.map(({ name, speaker }) => [speaker, name]))
  const nameOf = (speaker: string): string => names.get(speaker) ?? speaker

  return (part, before) => {
    // Both lists are in order: they are read side by side, from the segment before the first one.
    let place = placeOf(readings, before - 1)
    let next = indexAt(readings, place)
    /** A segment in which nothing is said any more leaves its space behind. */
    let isSpacePassed = false
    if (next === before - 1) {
      isSpacePassed = isBlank(readings[place])
      place += 1
      next = indexAt(readings, place)
    }
    // A loop that fills a list as long as it will be: mapping took a half longer.
    const segments = new Array<Segment>(part.segments.length)
    let index = before
    for (const segment of part.segments) {
      const isParted = isSpacePassed && segment.hasSpaceBefore === false
      const reading = next === index ? readings[place] : undefined
      const speaker = nameOf(reading?.speaker ?? segment.speaker)
      if (reading === undefined && !isParted) segments[index - before] = rename(segment, speaker)
      else {
        const text = reading?.text ?? segment.text
        segments[index - before] = correct(segment, { isParted, speaker, text })
      }
      isSpacePassed = isBlank(reading)
      if (reading !== undefined) {
        place += 1
        next = indexAt(readings, place)
      }
      index += 1
    }
    return { ...part, segments }
  }
}
