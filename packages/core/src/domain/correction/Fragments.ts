/**
 * Divides recognised segments into fragments, and joins segments. The times of the words decide
 * where a segment is divided; if they are unknown, its time is divided by the number of characters.
 */
import { isSpaced } from "../transcription/Language.ts"
import type { Segment, Word } from "../transcription/Transcript.ts"
import type { SegmentReading } from "./Overlay.ts"

/** A fragment of a recognised segment, with its correction. */
interface Fragment {
  readonly fragment: Segment
  readonly reading: SegmentReading | undefined
}

/** Returns the fragments of a recognised segment, given its ordered corrections. */
export const toFragments = (
  segment: Segment,
  readings: ReadonlyArray<SegmentReading>
): ReadonlyArray<Fragment> => {
  const [first] = readings
  let open: Fragment = {
    fragment: segment,
    reading: first?.at === undefined ? first : undefined
  }
  let from = 0
  const done: Array<Fragment> = []
  for (const reading of readings) {
    if (reading.at === undefined) continue
    const [head, tail] = divide(open.fragment, reading.at - from)
    done.push({ ...open, fragment: head })
    // A corrected text may have a space where a word was recognised.
    const { hasSpaceBefore: hasSpace = false, ...rest } = tail
    const isUnknown = !hasSpace && reading.text !== null
    open = { fragment: isUnknown ? rest : tail, reading }
    from = reading.at
  }
  return [...done, open]
}

/** Divides a segment before a character of its text. */
const divide = (segment: Segment, at: number): readonly [Segment, Segment] => {
  const { endMillis, startMillis, text, words, ...rest } = segment
  const [before, after] = divideWords(segment, at) ?? []
  const share = Math.round(((endMillis - startMillis) * at) / Math.max(1, text.length))
  const within = (millis: number) => Math.min(Math.max(millis, startMillis), endMillis)
  const middle = within(after?.[0]?.startMillis ?? startMillis + share)
  const end = Math.min(middle, within(before?.at(-1)?.endMillis ?? middle))
  const head = { ...rest, startMillis, endMillis: end, text: text.slice(0, at).trimEnd() }
  const tail = {
    ...rest,
    startMillis: middle,
    endMillis,
    text: text.slice(at),
    hasSpaceBefore: /\s$/.test(text.slice(0, at))
  }
  return [
    before === undefined ? head : { ...head, words: before },
    after === undefined ? tail : { ...tail, words: after }
  ]
}

/** Divides a segment's words; undefined if they are unknown or are not those of the text. */
const divideWords = (
  { text, words }: Segment,
  at: number
): readonly [ReadonlyArray<Word>, ReadonlyArray<Word>] | undefined => {
  const [before, after]: readonly [Array<Word>, Array<Word>] = [[], []]
  let to = 0
  for (const word of words ?? []) {
    const spelling = word.text.trim()
    const from = text.indexOf(spelling, to)
    if (from === -1) return undefined
    to = from + spelling.length
    if (to <= at) before.push(word)
    else if (from >= at) after.push(word)
    else {
      const share = ((word.endMillis - word.startMillis) * (at - from)) / spelling.length
      const middle = word.startMillis + Math.round(share)
      before.push({ ...word, endMillis: middle, text: text.slice(from, at) })
      after.push({ ...word, startMillis: middle, text: text.slice(at, to) })
    }
  }
  return words === undefined ? undefined : [before, after]
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
