/**
 * Applies corrections to a transcript. A part of a transcript is corrected in the same way as a
 * whole one, given the number of segments before the part.
 *
 * A corrected text has no word times, because it is not known when typed words were spoken.
 * Renderings estimate its word times from the segment's times, as they do for engines that report
 * no word times.
 */
import type { Segment } from "../transcription/Transcript.ts"
import { isEmpty, type Overlay, type SegmentReading } from "./Overlay.ts"

/** A transcript, or a part of one. */
interface Segmented {
  readonly segments: ReadonlyArray<Segment>
}

/**
 * Corrects the part that follows the first `before` segments. Returns the part unchanged if there
 * are no corrections.
 */
export type Corrector = <A extends Segmented>(part: A, before: number) => A

const asRecognised: Corrector = (part) => part

/** Finds the first corrected segment at or after a given index, in an ordered list. */
const placeOf = (readings: ReadonlyArray<SegmentReading>, index: number): number => {
  let [from, to] = [0, readings.length]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if ((readings[middle]?.index ?? index) < index) from = middle + 1
    else to = middle
  }
  return from
}

/**
 * Returns the index of the segment at a position of the list; infinity after the end of the list.
 */
const indexAt = (readings: ReadonlyArray<SegmentReading>, position: number): number =>
  readings[position]?.index ?? Number.POSITIVE_INFINITY

const isBlank = (reading: SegmentReading | undefined): boolean => reading?.text?.trim() === ""

/** The corrected content of a segment. */
interface Outcome {
  readonly speaker: string
  readonly text: string
  /** Whether a correction removed the word that this segment continued. */
  readonly isParted: boolean
}

const correct = (segment: Segment, { isParted, speaker, text }: Outcome): Segment => {
  const { endMillis, hasSpaceBefore, startMillis, words } = segment
  const isSaid = text === segment.text
  if (speaker === segment.speaker && isSaid && !isParted) return segment
  // Fields are copied one by one, because object spread took 1.5 times as long for ten hours of
  // speech with a name for every speaker.
  const corrected = { startMillis, endMillis, speaker, text }
  if (hasSpaceBefore === undefined && words === undefined) return corrected
  return {
    ...corrected,
    ...(hasSpaceBefore === undefined ? {} : { hasSpaceBefore: hasSpaceBefore || isParted }),
    ...(isSaid && words !== undefined ? { words } : {})
  }
}

/**
 * Renames the speaker of a segment. In a ten-hour transcript, nearly all of the time is spent here.
 */
const rename = (segment: Segment, speaker: string): Segment => {
  if (speaker === segment.speaker) return segment
  const { endMillis, hasSpaceBefore, startMillis, text, words } = segment
  return hasSpaceBefore === undefined && words === undefined
    ? { startMillis, endMillis, speaker, text }
    : correct(segment, { speaker, text, isParted: false })
}

/** Creates the function that applies an overlay to a transcript or its parts. */
export const makeCorrector = (overlay: Overlay): Corrector => {
  if (isEmpty(overlay)) return asRecognised
  const { segments: readings, speakers } = overlay
  const names = new Map(speakers.map(({ name, speaker }) => [speaker, name]))
  const nameOf = (speaker: string): string => names.get(speaker) ?? speaker

  return (part, before) => {
    // Both lists are ordered and read in parallel, starting with the segment before the part.
    let position = placeOf(readings, before - 1)
    let next = indexAt(readings, position)
    /** A segment that was corrected to an empty text leaves a space between its neighbours. */
    let isSpacePassed = false
    if (next === before - 1) {
      isSpacePassed = isBlank(readings[position])
      position += 1
      next = indexAt(readings, position)
    }
    // A loop that fills a preallocated list, because `map` took 1.5 times as long.
    const segments = new Array<Segment>(part.segments.length)
    let index = before
    for (const segment of part.segments) {
      const isParted = isSpacePassed && segment.hasSpaceBefore === false
      const reading = next === index ? readings[position] : undefined
      const speaker = nameOf(reading?.speaker ?? segment.speaker)
      if (reading === undefined && !isParted) segments[index - before] = rename(segment, speaker)
      else {
        const text = reading?.text ?? segment.text
        segments[index - before] = correct(segment, { isParted, speaker, text })
      }
      isSpacePassed = isBlank(reading)
      if (reading !== undefined) {
        position += 1
        next = indexAt(readings, position)
      }
      index += 1
    }
    return { ...part, segments }
  }
}
