/**
 * Converts a transcript to subtitles. A cue has one time range, one speaker and at most two lines.
 * It ends at the end of a sentence, at a pause, when the speaker changes, or when it is full.
 */
import type { Transcript } from "../transcription/Transcript.ts"
import { markedSentenceStarts } from "./Sentences.ts"
import { clockOf, parts, spaceEnd, type TimeRange, visitTokens, within } from "./Tokens.ts"
import { type Turn, turns } from "./Turns.ts"

// The width of text on a screen is measured in Latin letters. A Chinese, Japanese or Korean
// character counts as two letters, so that one limit works for every language and for lines that
// mix languages.

/** Returns the width of text in columns. */
export const columns = (text: string): number => {
  if (!special.test(text)) return text.length
  let count = 0
  for (const character of text) count += width(character)
  return count
}

/** Matches the characters that may take no column or two columns. */
const special = /[\p{Mn}\p{Me}\p{Cf}\u1100-\u115f\u2e80-\uffff\u{10000}-\u{10ffff}]/u

const width = (character: string): number => {
  const code = character.codePointAt(0) ?? 0
  if (isWide(code)) return 2
  return unseen.test(character) ? 0 : 1
}

const isWide = (code: number): boolean => {
  if (code < 0x1100) return false
  for (const [from, to] of wide) if (code >= from && code <= to) return true
  return false
}

/**
 * The characters that East Asian fonts draw as squares, and pictographs. The most frequent ranges
 * come first, and the others are in order of their codes.
 */
const wide: ReadonlyArray<readonly [from: number, to: number]> = [
  [0x3400, 0xa4cf],
  [0x3041, 0x3096],
  [0xac00, 0xd7a3],
  [0x1100, 0x115f],
  [0x2e80, 0x3029],
  [0x302e, 0x303e],
  [0x309b, 0x33ff],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1faff],
  [0x20000, 0x3fffd]
]

/** Matches zero-width characters: marks above and below letters, and joiners. */
const unseen = /^[\p{Mn}\p{Me}\p{Cf}]/u

/** A subtitle with its timestamps. It always ends after it starts. */
export interface Cue {
  readonly startMillis: number
  readonly endMillis: number
  readonly speaker: string
  /** One or two lines, none of them empty. */
  readonly lines: ReadonlyArray<string>
}

/**
 * Maximum width of a subtitle's line, in columns: 42 letters, or 21 Chinese characters, as usual in
 * subtitle guides.
 */
export const lineColumns = 42

/** A cue ends at a silence of at least this length, even within a sentence. */
const pauseMillis = 1000

/**
 * Maximum time for which a cue is shown. If it is shown for longer, viewers start to read it again.
 */
export const shownMillisMax = 7000

/**
 * Minimum time for which a cue is shown, if the next cue allows it. Sentences shorter than this
 * share a cue.
 */
const shownMillis = 1000

/**
 * Minimum time for which a cue is shown when speech overlaps, unless the next cue would then be too
 * late.
 */
const overlapMillis = 500

/** Maximum delay of a cue when speech overlaps, in milliseconds. */
const delayMillisMax = 2000

/**
 * Returns the cues of a transcript, in order and without overlaps. Together they contain the whole
 * text.
 */
export const cues = (transcript: Transcript): ReadonlyArray<Cue> => {
  const { language } = transcript
  const all = turns(transcript)
  const marks = markedSentenceStarts(all, language)
  const drafts: Array<Draft> = []
  let latestMillis = 0
  for (const [index, turn] of all.entries()) {
    const units = unitsOf(turn, { language, starts: marks[index] ?? [] })
    for (let from = 0; from < units.length; ) {
      const group = units.slice(from, endOfCue(units, from))
      latestMillis = Math.max(latestMillis, group[0]?.startMillis ?? 0)
      const endMillis = group.reduce((end, unit) => Math.max(end, unit.endMillis), 0)
      const lines = linesOf(group)
      drafts.push({ startMillis: latestMillis, endMillis, speaker: turn.speaker, lines })
      from += group.length
    }
  }
  return toCues(drafts, transcript.durationMillis)
}

/** A cue before its timestamps are final. No cue starts before the previous one. */
type Draft = { -readonly [Field in keyof Cue]: Cue[Field] }

/**
 * The text between two possible line breaks: a word, or a part of a word that is wider than a line.
 */
interface Unit extends TimeRange {
  readonly text: string
  readonly columns: number
  /** The gap before the next unit: a space, or nothing. */
  readonly gap: string
  readonly isSentenceEnd: boolean
}

interface Marks {
  readonly language: string
  /** The offsets at which the turn's sentences begin. */
  readonly starts: ReadonlyArray<number>
}

const unitsOf = (turn: Turn, { language, starts }: Marks): ReadonlyArray<Unit> => {
  const units: Array<Unit> = []
  const clock = clockOf(turn)
  let sentence = 0
  visitTokens({ turn, language }, (from, to) => {
    const next = spaceEnd(turn.text, to)
    while ((starts[sentence] ?? next) <= from) sentence += 1
    const isSentenceEnd = (starts[sentence] ?? turn.text.length) <= next
    const text = turn.text.slice(from, to)
    // The space after a word counts as part of the word, so that estimated timestamps leave no gap.
    const { endMillis, startMillis } = clock(from, next)
    const width = columns(text)
    const gap = next > to ? " " : ""
    const unit = { startMillis, endMillis, text, columns: width, gap, isSentenceEnd }
    if (width <= lineColumns) units.push(unit)
    else for (const part of partsOf(unit)) units.push(part)
  })
  return units
}

const isFitting = (text: string) => columns(text) <= lineColumns

const partsOf = (unit: Unit): ReadonlyArray<Unit> => {
  const found = parts(unit.text, isFitting)
  return found.map(({ from, to }, index) => {
    const isLast = index === found.length - 1
    const next = found[index + 1]?.from ?? to
    const text = unit.text.slice(from, to)
    return {
      ...within(unit, { from, to, of: unit.text.length }),
      text,
      columns: columns(text),
      gap: isLast ? unit.gap : next > to ? " " : "",
      isSentenceEnd: isLast && unit.isSentenceEnd
    }
  })
}

/** Returns the end of the cue that begins with a unit, which is always after that unit. */
const endOfCue = (units: ReadonlyArray<Unit>, from: number): number => {
  const first = units[from]
  let last = first
  if (first === undefined || last === undefined) return from + 1
  let isSecondLine = false
  let width = first.columns
  let endMillis = first.endMillis
  for (let to = from + 1; ; to += 1) {
    const next = units[to]
    if (next === undefined || isEnded({ first, last, next })) return to
    const wider = width + last.gap.length + next.columns
    const isBroken = wider > lineColumns
    endMillis = Math.max(endMillis, next.endMillis)
    const isFull = (isBroken && isSecondLine) || endMillis - first.startMillis > shownMillisMax
    if (isFull) return clauseEnd(units, { from, to })
    isSecondLine ||= isBroken
    width = isBroken ? next.columns : wider
    last = next
  }
}

interface Neighbours {
  readonly first: Unit
  readonly last: Unit
  readonly next: Unit
}

/** Whether a cue ends before it is full. */
const isEnded = ({ first, last, next }: Neighbours): boolean =>
  next.startMillis - last.endMillis >= pauseMillis ||
  (last.isSentenceEnd && next.startMillis - first.startMillis >= shownMillis)

const clauseMark = /[,;:،؛、，；：]$/

/**
 * Returns the end of a full cue: after the last clause that ends in the cue's second half, or else
 * after its last unit. Only half of a cue is searched, so that cutting takes linear time.
 */
const clauseEnd = (
  units: ReadonlyArray<Unit>,
  { from, to }: { readonly from: number; readonly to: number }
): number => {
  for (let end = to; end > (from + to) / 2; end -= 1) {
    if (clauseMark.test(units[end - 1]?.text ?? "")) return end
  }
  return to
}

/** Returns one line if the text fits, or else two lines of similar width. */
const linesOf = (units: ReadonlyArray<Unit>): ReadonlyArray<string> => {
  const total = widthOf(units)
  if (total <= lineColumns) return [lineOf(units)]
  let width = 0
  let best = { at: units.length, columns: Number.POSITIVE_INFINITY }
  for (const [index, unit] of units.entries()) {
    width += unit.columns
    const longer = Math.max(width, total - width - unit.gap.length)
    width += unit.gap.length
    if (longer < best.columns) best = { at: index + 1, columns: longer }
  }
  return [units.slice(0, best.at), units.slice(best.at)]
    .filter(({ length }) => length > 0)
    .map(lineOf)
}

const widthOf = (units: ReadonlyArray<Unit>): number =>
  units.reduce((sum, unit) => sum + unit.columns + unit.gap.length, 0) -
  (units.at(-1)?.gap.length ?? 0)

const lineOf = (units: ReadonlyArray<Unit>): string => {
  let line = ""
  for (const { gap, text } of units) line += text + gap
  return line.trimEnd()
}

/** Sets the final timestamps of all cues. */
const toCues = (drafts: ReadonlyArray<Draft>, durationMillis: number): ReadonlyArray<Cue> => {
  let free = 0
  for (const [index, draft] of drafts.entries()) {
    const startMillis = Math.max(draft.startMillis, free)
    const nextMillis = drafts[index + 1]?.startMillis ?? Number.POSITIVE_INFINITY
    const wanted = Math.max(draft.endMillis, startMillis + shownMillis)
    free = Math.max(
      Math.min(wanted, startMillis + shownMillisMax, nextMillis),
      Math.min(startMillis + overlapMillis, nextMillis + delayMillisMax),
      startMillis + 1
    )
    draft.startMillis = startMillis
    draft.endMillis = free
  }
  endWithin(drafts, durationMillis)
  return drafts
}

/**
 * Moves the last cues to an earlier time if they would be shown after the end of the recording,
 * provided that the recording has at least a millisecond per cue. If there is too little time, the
 * cues share what remains.
 */
const endWithin = (drafts: ReadonlyArray<Draft>, durationMillis: number): void => {
  let limit = Math.max(durationMillis, drafts.length)
  for (let index = drafts.length - 1; index >= 0; index -= 1) {
    const draft = drafts[index]
    if (draft === undefined || draft.endMillis <= limit) return
    const least = Math.min(overlapMillis, Math.floor(limit / (index + 1)))
    draft.endMillis = limit
    draft.startMillis = Math.min(draft.startMillis, limit - least)
    limit = draft.startMillis
  }
}
