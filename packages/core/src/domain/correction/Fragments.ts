/**
 * Cuts fragments out of recognised segments, and joins segments. A fragment's timestamps come from
 * its words or, if the words have no timestamps, from the fragment's share of the segment's
 * characters.
 */
import { isSpaced } from "../transcription/Language.ts"
import type { Segment, Word } from "../transcription/Transcript.ts"

/** A range of a segment's recognised text. */
interface Range {
  /** Offset of the start; missing if the range begins at the start of the text. */
  readonly from?: number | undefined
  /** Offset of the end, exclusive; missing if the range ends at the end of the text. */
  readonly to?: number | undefined
  /** Whether the fragment keeps its recognised text. */
  readonly isSaid: boolean
}

/** Cuts a fragment out of a recognised segment. */
export const cutSegment = (segment: Segment, { from = 0, isSaid, to }: Range): Segment => {
  if (from === 0 && to === undefined) return segment
  const { endMillis, text, words: _, ...rest } = segment
  const { found, millisAt } = placesOf(segment)
  const said = to === undefined ? text.slice(from) : text.slice(from, to).trimEnd()
  const end = to ?? text.length
  const own = found?.slice(
    firstIndex(found, (word) => word.to > from),
    firstIndex(found, (word) => word.from >= end)
  )
  const isWhole = own?.every((word) => word.from >= from && word.to <= end)
  const isApart = /\s/.test(text.charAt(from - 1))
  return {
    ...rest,
    startMillis: millisAt(from),
    endMillis: to === undefined ? endMillis : millisAt(from + said.length),
    text: said,
    // Where the recognised text has no space, corrected text may have one.
    ...(from > 0 && (isSaid || isApart) ? { hasSpaceBefore: isApart } : {}),
    ...(own && isWhole ? { words: own.map(({ word }) => word) } : {})
  }
}

/** Returns the lowest index at which a condition holds; the length if the condition never holds. */
const firstIndex = <A>(list: ReadonlyArray<A>, holds: (item: A) => boolean): number => {
  let [from, to] = [0, list.length]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    const item = list[middle]
    if (item !== undefined && !holds(item)) from = middle + 1
    else to = middle
  }
  return from
}

/**
 * A segment's words with their ranges in its text, and a function that returns a character's
 * timestamp.
 */
interface Places {
  readonly found: ReadonlyArray<FoundWord> | undefined
  readonly millisAt: (at: number) => number
}

/**
 * Caches the `Places` of each segment that is split. Without the cache, 5,000 splits of one segment
 * took 7 s.
 */
const knownPlaces = new WeakMap<Segment, Places>()

const placesOf = (segment: Segment): Places => {
  const known = knownPlaces.get(segment)
  if (known !== undefined) return known
  const found = segment.words && findWords(segment.text, segment.words)
  const places = { found, millisAt: makeClock(segment, found ?? []) }
  knownPlaces.set(segment, places)
  return places
}

/** A word and its range in the text. */
interface FoundWord {
  readonly word: Word
  readonly from: number
  readonly to: number
}

/** Finds words in text; undefined if the text does not contain them. */
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

/** Creates a function that returns the timestamp of a character. Timestamps never decrease. */
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
    const position = firstIndex(ordered, (each) => each.at >= at)
    const [before, next] = [ordered[position - 1], ordered[position]]
    if (next === undefined || before === undefined) return next?.millis ?? latest
    const share = (at - before.at) / (next.at - before.at)
    return before.millis + Math.round(share * (next.millis - before.millis))
  }
}

const isBlank = ({ text }: Segment): boolean => text.trim() === ""

/**
 * Joins the texts of segments, and returns where each segment's text starts. All texts are joined
 * at once, because joining a ten-hour transcript pair by pair took 17 s.
 */
export const joinTexts = (segments: ReadonlyArray<Segment>, language = "und") => {
  const isApart = isSpaced(language)
  const texts: Array<string> = []
  const starts: Array<number> = []
  let length = 0
  /** Whether the text so far ends with a word. */
  let isWordLast = false
  for (const { hasSpaceBefore = isApart, text } of segments) {
    const gap = hasSpaceBefore && isWordLast && /^\S/.test(text) ? " " : ""
    texts.push(gap, text)
    starts.push(length + gap.length)
    length += gap.length + text.length
    if (text !== "") isWordLast = /\S$/.test(text)
  }
  return { starts, text: texts.join("") }
}

/** Joins several segments into one, which gets the speaker of the first. */
export const joinSegments = (
  segments: readonly [Segment, ...ReadonlyArray<Segment>],
  language?: string
): Segment => {
  const { words: _, ...first } = segments[0]
  const joined = {
    ...first,
    endMillis: segments.reduce((latest, { endMillis }) => Math.max(latest, endMillis), 0),
    text: joinTexts(segments, language).text
  }
  const said = segments.filter((segment) => !isBlank(segment))
  return said.every(({ words }) => words !== undefined)
    ? { ...joined, words: said.flatMap(({ words = [] }) => words) }
    : joined
}
