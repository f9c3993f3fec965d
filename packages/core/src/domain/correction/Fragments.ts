/**
 * Cuts fragments out of recognised segments, and joins segments. A fragment's times are those of
 * its words; if they are unknown, the segment's time is divided by the number of characters.
 */
import { isSpaced } from "../transcription/Language.ts"
import type { Segment, Word } from "../transcription/Transcript.ts"

/** A range of a recognised text. */
interface Range {
  /** Missing for the start of the text. */
  readonly from?: number | undefined
  /** Missing for the end of the text. */
  readonly to?: number | undefined
  /** Whether the fragment keeps its recognised text. */
  readonly isSaid: boolean
}

/** Returns a fragment of a recognised segment. */
export const cutSegment = (segment: Segment, { from = 0, isSaid, to }: Range): Segment => {
  if (from === 0 && to === undefined) return segment
  const { endMillis, text, words, ...rest } = segment
  const found = words && findWords(text, words)
  const millisAt = makeClock(segment, found ?? [])
  const said = to === undefined ? text.slice(from) : text.slice(from, to).trimEnd()
  const end = to ?? text.length
  const own = found?.filter((word) => word.from < end && word.to > from)
  const isWhole = own?.every((word) => word.from >= from && word.to <= end)
  const isApart = /\s$/.test(text.slice(0, from))
  return {
    ...rest,
    startMillis: millisAt(from),
    endMillis: to === undefined ? endMillis : millisAt(from + said.length),
    text: said,
    // A corrected text may have a space where a word was recognised.
    ...(from > 0 && (isSaid || isApart) ? { hasSpaceBefore: isApart } : {}),
    ...(own && isWhole ? { words: own.map(({ word }) => word) } : {})
  }
}

/** A word and its range in a text. */
interface FoundWord {
  readonly word: Word
  readonly from: number
  readonly to: number
}

/** Finds the words in a text; undefined if they are not in it. */
const findWords = (text: string, words: ReadonlyArray<Word>) => {
  const found: Array<FoundWord> = []
  let to = 0
  for (const word of words) {
    const spelling = word.text.trim()
    const from = text.indexOf(spelling, to)
    if (from === -1) return undefined
    to = from + spelling.length
    found.push({ word, from, to })
  }
  return found
}

/** Makes the function that returns the time of a character, which never decreases. */
const makeClock = (
  { endMillis, startMillis, text }: Segment,
  words: ReadonlyArray<FoundWord>
): ((at: number) => number) => {
  const known = [
    { at: 0, millis: startMillis },
    ...words.flatMap(({ from, to, word }) => [
      { at: from, millis: word.startMillis },
      { at: to, millis: word.endMillis }
    ]),
    { at: text.length, millis: endMillis }
  ]
  let latest = startMillis
  const ordered = known.map(({ at, millis }) => {
    latest = Math.min(Math.max(latest, millis), endMillis)
    return { at, millis: latest }
  })
  return (at) => {
    const next = ordered.find((each) => each.at >= at)
    const before = ordered.findLast((each) => each.at < at)
    if (next === undefined || before === undefined) return next?.millis ?? latest
    const share = (at - before.at) / (next.at - before.at)
    return before.millis + Math.round(share * (next.millis - before.millis))
  }
}

const isBlank = ({ text }: Segment): boolean => text.trim() === ""

/** Joins two segments into one with the speaker of the first. */
export const joinSegments = (one: Segment, other: Segment, language = "und"): Segment => {
  const { words: first, ...head } = one
  const isApart = other.hasSpaceBefore ?? isSpaced(language)
  const isSpaceNeeded = isApart && !isBlank(one) && !isBlank(other)
  const gap = isSpaceNeeded && !/\s$/.test(one.text) && !/^\s/.test(other.text) ? " " : ""
  const joined = {
    ...head,
    endMillis: Math.max(one.endMillis, other.endMillis),
    text: one.text + gap + other.text
  }
  const known = isBlank(one) ? [] : first
  const following = isBlank(other) ? [] : other.words
  return known === undefined || following === undefined
    ? joined
    : { ...joined, words: [...known, ...following] }
}
