/** Groups segments into one-speaker blocks, and finds timestamps, characters and text in blocks. */
import type { JobDetails } from "../jobs/JobTraits.ts"

export type Segment = Readonly<{ start: number; end: number; speaker: string; text: string }>

type ListedSegment = NonNullable<JobDetails["output"]>["list"][number]
export const toSegments = (list: ReadonlyArray<ListedSegment>): ReadonlyArray<Segment> =>
  list.map((each) => ({ ...each, start: Number(each.start), end: Number(each.end) }))

/** Consecutive segments of one speaker, from `first` up to but excluding `end`. */
export interface Block {
  readonly first: number
  readonly end: number
  readonly speaker: string
  readonly start: number
  readonly spoken: number
  readonly text: string
  /** The index in the text where each segment starts. */
  readonly offsets: ReadonlyArray<number>
}

/** A longer block ends at the next segment, so that several blocks fit on one screen. */
const lengthMax = 500
const silenceMin = 3
const unspaced: ReadonlySet<string> = new Set(["zh", "ja", "yue", "th", "lo", "km", "my"])
const isSpaced = (language: string) => !unspaced.has(language.toLowerCase().split("-")[0] ?? "")
export const toBlocks = (segments: ReadonlyArray<Segment>, language: string) => {
  const between = isSpaced(language) ? " " : ""
  const blocks: Array<Block> = []
  for (const [index, segment] of segments.entries()) {
    const before = segments[index - 1]
    const isSame = before?.speaker === segment.speaker && segment.start - before.end <= silenceMin
    const isFull = (blocks.at(-1)?.text.length ?? 0) > lengthMax
    const block = isSame && !isFull ? blocks.pop() : undefined
    const { first = index, offsets = [], spoken = 0, start = segment.start } = block ?? {}
    const said = block === undefined || block.text === "" ? "" : block.text + between
    blocks.push({
      first,
      end: index + 1,
      speaker: segment.speaker,
      start,
      spoken: spoken + (segment.end - segment.start),
      text: said + segment.text.trim(),
      offsets: [...offsets, said.length]
    })
  }
  return blocks
}

/** Returns the index of the last segment that has started at a time, or -1. */
export const segmentAt = (segments: ReadonlyArray<Segment>, seconds: number): number =>
  segments.findLastIndex(({ start }) => start <= seconds)

export const blockOf = (blocks: ReadonlyArray<Block>, segment: number): number =>
  blocks.findLastIndex(({ first }) => first <= segment)

const sampleMax = 5
/** Returns the beginning of a speaker's longest segment. */
export const voiceSample = (segments: ReadonlyArray<Segment>, speaker: string) => {
  const own = segments.filter((segment) => segment.speaker === speaker)
  const { end, start } = own.reduce((one, other) =>
    other.end - other.start > one.end - one.start ? other : one
  )
  return { start, end: Math.min(end, start + sampleMax) }
}

export type Range = Readonly<{ from: number; to: number }>
const word = /\S+/gu

/** Returns the word at a time, as if a segment's characters were evenly spread in time. */
export const wordAt = ({ end, start, text }: Segment, seconds: number): Range | undefined => {
  const said = text.trim()
  if (seconds < start || seconds > end || said === "") return undefined
  const at = ((seconds - start) / Math.max(0.01, end - start)) * said.length
  return findIn(said, word).find(({ to }) => at < to + 1)
}

export const timeAt = ({ end, start, text }: Segment, offset: number): number => {
  const said = text.trim()
  const from = said.slice(0, offset + 1).search(/\S+$/u)
  return start + ((end - start) * Math.max(0, from)) / Math.max(1, said.length)
}

/** Pixels, as in the style sheet: a block without lines, a line, a character, a line's width. */
const sizes = { rest: 44, line: 26, letter: 7.4, width: 640 } as const
export const guessHeight = ({ text }: Block): number =>
  sizes.rest + sizes.line * Math.max(1, Math.ceil((text.length * sizes.letter) / sizes.width))

type Hit = Range & { readonly block: number }
export const hitMax = 10_000

/** Removes accents, unless this would change the positions of letters. */
const withoutAccents = (text: string): string => {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "")
  return plain.length === text.length ? plain : text
}

export type Wanted = Readonly<{ wanted: string; isWhole: boolean }>

const letter = String.raw`[\p{L}\p{M}\p{N}_]`

/** Matches text regardless of case, accents, and the number of spaces between words. */
const toPattern = ({ isWhole, wanted }: Wanted): RegExp => {
  const text = withoutAccents(wanted.trim())
    .replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
    .replace(/\s+/g, "\\s+")
  return new RegExp(isWhole ? `(?<!${letter})${text}(?!${letter})` : text, "giu")
}

const findIn = (text: string, pattern: RegExp): ReadonlyArray<Range> =>
  [...withoutAccents(text).matchAll(pattern)].map(({ 0: found, index }) => ({
    from: index,
    to: index + found.length
  }))

export type Replacement = Wanted & Readonly<{ by: string }>

const lowerStart = /^[^\p{L}\p{N}]*\p{Ll}/u

/** Gives a replacement in lower case the capitals of the match, unless it only changes capitals. */
const keepCapitals = (found: string, by: string): string => {
  if (!lowerStart.test(by) || found.toLowerCase() === by.toLowerCase()) return by
  if (/\p{Lu}.*\p{Lu}/su.test(found) && found === found.toUpperCase()) return by.toUpperCase()
  const isCapital = /^[^\p{L}\p{N}]*[\p{Lu}\p{Lt}]/u.test(found)
  return isCapital ? by.replace(lowerStart, (start) => start.toUpperCase()) : by
}

/** Returns the changes, and the number of matches that they replace. */
export const replaceText = (segments: ReadonlyArray<Segment>, { by, ...text }: Replacement) => {
  const pattern = toPattern(text)
  let count = 0
  const changes = segments.flatMap((segment, index) => {
    const before = segment.text.trim()
    const found = text.wanted.trim() === "" ? [] : findIn(before, pattern)
    const after = found.reduceRight((rest, { from, to }) => {
      return rest.slice(0, from) + keepCapitals(before.slice(from, to), by) + rest.slice(to)
    }, before)
    if (after === before) return []
    count += found.length
    return [{ index, text: after }]
  })
  return { changes, count }
}

export const findText = (blocks: ReadonlyArray<Block>, text: Wanted): ReadonlyArray<Hit> => {
  if (text.wanted.trim() === "") return []
  const pattern = toPattern(text)
  return blocks
    .flatMap(({ text }, block) => findIn(text, pattern).map((range) => ({ block, ...range })))
    .slice(0, hitMax)
}

export const formatTime = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (value: number) => String(value).padStart(2, "0")
  const minutes = Math.floor(whole / 60) % 60
  const hours = Math.floor(whole / 3_600)
  const end = two(whole % 60)
  return hours === 0 ? `${minutes}:${end}` : `${hours}:${two(minutes)}:${end}`
}
