/**
 * Applies corrections to a transcript. A part of a transcript is corrected in the same way as the
 * whole, given the number of recognised segments before the part. Corrected text has no word
 * timestamps, because it is not known when typed words were spoken. Renderings estimate word
 * timestamps from those of the segment.
 */
import { Effect, Option } from "effect"
import type { Segment, TranscriptCursor, TranscriptPart } from "../transcription/Transcript.ts"
import { cutSegment, joinSegments } from "./Fragments.ts"
import { isEmpty, type Overlay, type SegmentReading } from "./Overlay.ts"

interface Segmented {
  readonly language?: string
  readonly segments: ReadonlyArray<Segment>
}

/**
 * Corrects the part that follows the first `before` segments. Returns the part unchanged if there
 * are no corrections. No part may begin with a segment that is joined to the one before it.
 */
export type Corrector = <A extends Segmented>(part: A, before: number) => A

const asRecognised: Corrector = (part) => part

/** Finds the first correction at or after the index of a segment, in an ordered list. */
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
 * Returns the index of the segment that the correction at a position belongs to; infinity past the
 * end of the list.
 */
const indexAt = (readings: ReadonlyArray<SegmentReading>, position: number): number =>
  readings[position]?.index ?? Number.POSITIVE_INFINITY

const isBlank = (reading: SegmentReading | undefined): boolean => reading?.text?.trim() === ""

/** A segment's content after corrections. */
interface Outcome {
  readonly speaker: string
  readonly text: string
  /** Whether a correction removed the start of a word that continued in this segment. */
  readonly isParted: boolean
}

const correct = (segment: Segment, { isParted, speaker, text }: Outcome): Segment => {
  const { endMillis, hasSpaceBefore, startMillis, words } = segment
  const isSaid = text === segment.text
  if (speaker === segment.speaker && isSaid && !isParted) return segment
  // The fields are copied one by one, because object spread took 1.5 times as long for ten hours of
  // speech in which every speaker is named.
  const corrected = { startMillis, endMillis, speaker, text }
  if (hasSpaceBefore === undefined && words === undefined) return corrected
  return {
    ...corrected,
    ...(hasSpaceBefore === undefined ? {} : { hasSpaceBefore: hasSpaceBefore || isParted }),
    ...(isSaid && words !== undefined ? { words } : {})
  }
}

/**
 * Renames the speaker of a segment. For a ten-hour transcript, nearly all of the time for
 * corrections is spent here.
 */
const rename = (segment: Segment, speaker: string): Segment => {
  if (speaker === segment.speaker) return segment
  const { endMillis, hasSpaceBefore, startMillis, text, words } = segment
  return hasSpaceBefore === undefined && words === undefined
    ? { startMillis, endMillis, speaker, text }
    : correct(segment, { speaker, text, isParted: false })
}

/** Creates a function that applies an overlay to a transcript or its parts. */
export const makeCorrector = (overlay: Overlay): Corrector => {
  if (isEmpty(overlay)) return asRecognised
  const { segments: readings, speakers } = overlay
  const names = new Map(speakers.map(({ name, speaker }) => [speaker, name]))
  const nameOf = (speaker: string): string => names.get(speaker) ?? speaker

  return (part, before) => {
    // The lists of segments and corrections are both ordered, and are read in parallel, starting
    // with the segment before the part.
    let position = placeOf(readings, before - 1)
    let next = indexAt(readings, position)
    const takeReadings = (index: number): ReadonlyArray<SegmentReading> => {
      const from = position
      while (next === index) next = indexAt(readings, ++position)
      return readings.slice(from, position)
    }
    /**
     * Whether a correction removed the previous segment's text, which leaves a space in its place.
     */
    let isSpacePassed = isBlank(takeReadings(before - 1).at(-1))
    // A loop fills a preallocated list, because `map` took 1.5 times as long.
    const segments = new Array<Segment>(part.segments.length)
    let [count, index] = [0, before]
    /** The segments to join to the last appended segment. */
    let joined: Array<Segment> = []
    const finishJoin = (): void => {
      const first = segments[count - 1]
      if (first === undefined || joined.length === 0) return
      segments[count - 1] = joinSegments([first, ...joined], part.language)
      joined = []
    }
    const append = (segment: Segment): void => {
      finishJoin()
      segments[count++] = segment
    }
    const add = (segment: Segment, reading?: SegmentReading): void => {
      const isParted = isSpacePassed && segment.hasSpaceBefore === false
      const speaker = nameOf(reading?.speaker ?? segment.speaker)
      const text = reading?.text ?? segment.text
      const corrected = correct(segment, { isParted, speaker, text })
      isSpacePassed = isBlank(reading)
      if (reading?.edge === "joined" && count > 0) joined.push(corrected)
      else append(corrected)
    }
    for (const segment of part.segments) {
      if (next !== index && !isSpacePassed) append(rename(segment, nameOf(segment.speaker)))
      else if (next !== index) add(segment)
      else {
        const own = takeReadings(index)
        if (own[0]?.at !== undefined) add(cutSegment(segment, { to: own[0].at, isSaid: true }))
        for (const [place, reading] of own.entries()) {
          const range = { from: reading.at, to: own[place + 1]?.at, isSaid: reading.text === null }
          add(cutSegment(segment, range), reading)
        }
      }
      index += 1
    }
    finishJoin()
    segments.length = count
    return { ...part, segments }
  }
}

/** A cursor in a transcript, with the number of recognised segments before it. */
export interface CountedCursor extends TranscriptCursor {
  readonly count: number
}

/** A corrected part of a transcript, with the number of recognised segments up to its end. */
export interface CountedPart extends TranscriptPart, CountedCursor {}

/** Reads the part of a transcript after a cursor; without a cursor, the first part. */
type ReadPart<Cursor, Part, E> = (
  before: Option.Option<Cursor>
) => Effect.Effect<Option.Option<Part>, E>

/**
 * Creates a function that reads a corrected transcript in parts. If a part ends within a joined
 * segment, the next part is added to it.
 */
export const makePartReader = <E>(
  overlay: Overlay,
  readPart: ReadPart<TranscriptCursor, TranscriptPart, E>
): ReadPart<CountedCursor, CountedPart, E> => {
  const correct = makeCorrector(overlay)
  const joined = new Set(
    overlay.segments.flatMap(({ edge, index }) => (edge === "joined" ? [index] : []))
  )
  return Effect.fnUntraced(function* (before) {
    const start = Option.match(before, { onNone: () => 0, onSome: ({ count }) => count })
    const recognised: Array<Segment> = []
    let part = yield* readPart(before)
    while (Option.isSome(part)) {
      const { next, segments } = part.value
      recognised.push(...segments)
      const count = start + recognised.length
      if (Option.isNone(next) || !joined.has(count)) {
        const whole = { ...part.value, segments: recognised }
        return Option.some({ ...correct(whole, start), count })
      }
      part = yield* readPart(part)
    }
    return Option.none()
  })
}
