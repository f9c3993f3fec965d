/**
 * Assigns speakers to segments: each segment gets the voice that speaks for most of the segment. A
 * segment is split where the voice changes if its words have timestamps and match its text. Pure.
 */
import type { PieceSegment, Segment } from "@verbatim/core/transcription"

/** A range of speech by one speaker, in milliseconds from the start of the recording. */
export interface Turn {
  readonly startMillis: number
  readonly endMillis: number
  readonly speaker: number
}

type Timed = Pick<Turn, "startMillis" | "endMillis">

const overlap = (a: Timed, b: Timed): number =>
  Math.min(a.endMillis, b.endMillis) - Math.max(a.startMillis, b.startMillis)

/**
 * Returns a function that finds the turns in and next to a range by binary search, because ten
 * hours of speech have 100,000 words and 12,000 turns.
 */
const makeTurnsAt = (turns: ReadonlyArray<Turn>) => {
  const ordered = turns.toSorted((one, other) => one.startMillis - other.startMillis)
  const longest = turns.reduce((most, turn) => Math.max(most, turn.endMillis - turn.startMillis), 0)
  const countBefore = (millis: number): number => {
    let [low, high] = [0, ordered.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ordered[middle]?.startMillis ?? 0) < millis) low = middle + 1
      else high = middle
    }
    return low
  }
  return ({ endMillis, startMillis }: Timed): ReadonlyArray<Turn> => {
    const from = countBefore(startMillis - longest) - 1
    return ordered.slice(Math.max(0, from), countBefore(endMillis) + 1)
  }
}

/** Returns the voice that speaks for most of the range, or else the nearest voice. */
const voiceOf = (range: Timed, turnsAt: ReturnType<typeof makeTurnsAt>): number => {
  const shares = new Map<number, number>()
  let nearest: Turn | undefined
  for (const turn of turnsAt(range)) {
    const share = overlap(range, turn)
    if (share > 0) shares.set(turn.speaker, (shares.get(turn.speaker) ?? 0) + share)
    // If a turn and the range do not overlap, `overlap` returns their distance as a negative
    // number.
    if (nearest === undefined || share > overlap(range, nearest)) nearest = turn
  }
  const [most] = [...shares].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? nearest?.speaker ?? 0
}

interface VoicedSegment extends PieceSegment {
  readonly voice: number
}

/** Returns the positions of words in their segment's text, or none if the words do not match it. */
const wordStarts = ({ text, words = [] }: PieceSegment): ReadonlyArray<number> => {
  const starts: Array<number> = []
  let to = 0
  for (const word of words) {
    const from = text.indexOf(word.text, to)
    if (from === -1) return []
    starts.push(from)
    to = from + word.text.length
  }
  return starts
}

/** Consecutive words of one voice, given by their indexes in the segment. */
interface Run {
  readonly voice: number
  readonly from: number
  to: number
}

/** Returns a function that cuts a run of words, with its original text, out of a segment. */
const makeCutter = (spoken: PieceSegment, starts: ReadonlyArray<number>) => {
  const { hasSpaceBefore: isFirstSpaced, text, words = [] } = spoken
  return ({ from, to, voice }: Run): VoicedSegment => {
    const own = words.slice(from, to)
    const hasSpaceBefore = from === 0 ? isFirstSpaced : /\s$/u.test(text.slice(0, starts[from]))
    return {
      startMillis: own[0]?.startMillis ?? 0,
      endMillis: own.at(-1)?.endMillis ?? 0,
      text: text.slice(from === 0 ? 0 : starts[from], starts[to]).trim(),
      ...(hasSpaceBefore !== undefined && { hasSpaceBefore }),
      words: own,
      voice
    }
  }
}

/** Splits a segment where the voice changes, if the words match the text. */
const splitByVoice = (
  spoken: PieceSegment,
  turnsAt: ReturnType<typeof makeTurnsAt>
): ReadonlyArray<VoicedSegment> => {
  const { words = [] } = spoken
  const starts = wordStarts(spoken)
  if (starts.length < 2) return [{ ...spoken, voice: voiceOf(spoken, turnsAt) }]
  const runs: Array<Run> = []
  for (const [index, word] of words.entries()) {
    const voice = voiceOf(word, turnsAt)
    const last = runs.at(-1)
    if (last?.voice === voice) last.to = index + 1
    else runs.push({ voice, from: index, to: index + 1 })
  }
  const [only, ...others] = runs
  if (only !== undefined && others.length === 0) return [{ ...spoken, voice: only.voice }]
  return runs.map(makeCutter(spoken, starts))
}

/**
 * Assigns speakers, numbered in order of appearance. If there are no turns, all speech is assigned
 * to one speaker.
 */
export const assignSpeakers = (
  spoken: ReadonlyArray<PieceSegment>,
  turns: ReadonlyArray<Turn>
): ReadonlyArray<Segment> => {
  const turnsAt = makeTurnsAt(turns)
  const numbers = new Map<number, number>()
  const numberOf = (voice: number): number => {
    const number = numbers.get(voice) ?? numbers.size
    numbers.set(voice, number)
    return number
  }
  return spoken
    .flatMap((each) => splitByVoice(each, turnsAt))
    .map(({ voice, ...segment }) => ({ ...segment, speaker: `speaker_${numberOf(voice)}` }))
}
