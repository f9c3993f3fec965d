/**
 * Makes a transcript of what an engine reports. Engines err: whatever they report, times lie within
 * the audio and in order, speakers are numbered as they appear, the language is a code of ISO 639,
 * and every store takes the text.
 */
import { storable } from "../schema/StorableText.ts"
import { isSpaced, languageCode } from "./Language.ts"
import type { Segment, Transcript, Word } from "./Transcript.ts"

// What an engine says about the space before each segment, as far as it holds: segments in which
// nothing is said leave their space behind, others come in between when they are put in order.

const isBlank = ({ text }: Segment): boolean => text.trim() === ""

/** The segments in which something is said. A blank one before `lo` ends the word `Hel`. */
const leaveOutBlank = (segments: ReadonlyArray<Segment>): ReadonlyArray<Segment> => {
  const kept: Array<Segment> = []
  let isSpacePassed = false
  for (const segment of segments) {
    if (isBlank(segment)) {
      isSpacePassed ||= segment.text !== "" || segment.hasSpaceBefore === true
      continue
    }
    const isParted = isSpacePassed && segment.hasSpaceBefore === false
    kept.push(isParted ? { ...segment, hasSpaceBefore: true } : segment)
    isSpacePassed = false
  }
  return kept
}

/**
 * The same segments, in another order. What was said holds only between neighbours that still are
 * neighbours, and is kept only where it is not as the language has it.
 */
const keepSpaces = (
  language: string,
  { given, ordered }: Readonly<Record<"given" | "ordered", ReadonlyArray<Segment>>>
): ReadonlyArray<Segment> => {
  const usual = isSpaced(language)
  if (given.every(({ hasSpaceBefore = usual }) => hasSpaceBefore === usual)) {
    return ordered.map(({ hasSpaceBefore: _, ...segment }) => segment)
  }
  const before = new Map(given.map((segment, index) => [segment, given[index - 1]]))
  return ordered.map((segment, index) => {
    const { hasSpaceBefore = usual, ...others } = segment
    const isNeighbour = index > 0 && before.get(segment) === ordered[index - 1]
    return isNeighbour && hasSpaceBefore !== usual ? { ...others, hasSpaceBefore } : others
  })
}

/** What was recognised, in what. */
export interface Heard {
  readonly recognised: Pick<Transcript, "language" | "segments">
  readonly durationMillis: number
  /** Otherwise one speaker says everything. */
  readonly isDiarized: boolean
}

/** The transcript. Segments in which nothing is said are left out. */
export const toTranscript = ({ durationMillis, isDiarized, recognised }: Heard): Transcript => {
  const timed = makeTiming(durationMillis)
  const { segments } = recognised
  const language = languageCode(recognised.language)
  const given = leaveOutBlank(segments).map(timed)
  const said = keepSpaces(language, { given, ordered: inOrder(given) })
  const speakerOf = isDiarized ? makeNumbering() : () => speaker(0)
  return {
    durationMillis,
    language,
    segments: said.map((segment) => ({
      ...segment,
      speaker: speakerOf(segment.speaker),
      text: storable(segment.text),
      ...(segment.words === undefined ? {} : { words: inOrder(segment.words.map(wordOf(timed))) })
    }))
  }
}

type Stretch = Pick<Segment, "startMillis" | "endMillis">

/**
 * Puts stretches inside the audio, in whole milliseconds. One that runs backwards takes no time.
 */
const makeTiming = (durationMillis: number) => {
  // Anything but a number counts as the beginning.
  const within = (millis: number) => Math.min(durationMillis, Math.max(0, Math.round(millis) || 0))
  return <S extends Stretch>(stretch: S): S => {
    const startMillis = within(stretch.startMillis)
    return { ...stretch, startMillis, endMillis: Math.max(startMillis, within(stretch.endMillis)) }
  }
}

const wordOf =
  (timed: (word: Word) => Word) =>
  (word: Word): Word => ({ ...timed(word), text: storable(word.text) })

/** Sorting keeps the order of segments that begin together. */
const inOrder = <S extends Stretch>(stretches: ReadonlyArray<S>): ReadonlyArray<S> =>
  stretches.toSorted((one, other) => one.startMillis - other.startMillis)

const speaker = (number: number) => `speaker_${number}`

/** A number for each name, in the order in which they are asked for. */
const makeNumbering = () => {
  const names = new Map<string, string>()
  return (name: string): string => {
    const known = names.get(name) ?? speaker(names.size)
    names.set(name, known)
    return known
  }
}
