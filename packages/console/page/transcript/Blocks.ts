/**
 * A transcript as it is read: segments in blocks of one speaker, and where in it a moment, a letter
 * or a text is.
 */

/** A segment as the page keeps it. Times are seconds. */
export interface Segment {
  readonly start: number
  readonly end: number
  readonly speaker: string
  readonly text: string
}

/** Segments that follow each other, of one speaker: from `first` up to and without `end`. */
export interface Block {
  readonly first: number
  readonly end: number
  readonly speaker: string
  readonly start: number
  /** For how many seconds somebody speaks in it. */
  readonly spoken: number
  /** What was said in it. */
  readonly text: string
  /** Where each segment begins in the text. */
  readonly offsets: ReadonlyArray<number>
}

/** A longer block is cut at the next segment: a screen shows some of them. */
const lengthMax = 500

/** A silence of so many seconds begins a new block. */
const silenceMin = 3

const unspaced: ReadonlySet<string> = new Set(["zh", "ja", "yue", "th", "lo", "km", "my"])

/** Whether a language sets spaces between words. */
const isSpaced = (language: string): boolean =>
  !unspaced.has(language.toLowerCase().split("-")[0] ?? "")

/** Puts segments into blocks; `base` is the place of the first one among all. */
export const toBlocks = (
  segments: ReadonlyArray<Segment>,
  language: string,
  base = 0
): ReadonlyArray<Block> => {
  const between = isSpaced(language) ? " " : ""
  const blocks: Array<Block> = []
  let first = 0
  let text = ""
  let offsets: Array<number> = []
  let spoken = 0
  const close = (end: number): void => {
    const head = segments[first]
    if (head === undefined || end === first) return
    const { speaker, start } = head
    const place = { first: base + first, end: base + end }
    blocks.push({ ...place, speaker, start, spoken, text, offsets })
    first = end
    text = ""
    offsets = []
    spoken = 0
  }
  for (const [index, segment] of segments.entries()) {
    const before = segments[index - 1]
    const isOther =
      before !== undefined &&
      (before.speaker !== segment.speaker || segment.start - before.end > silenceMin)
    if (isOther || text.length > lengthMax) close(index)
    if (text !== "") text += between
    offsets.push(text.length)
    spoken += segment.end - segment.start
    text += segment.text.trim()
  }
  close(segments.length)
  return blocks
}

/** The place of the last item that begins at or before a value; -1 before the first one. */
const findLastAt = <Item>(
  items: ReadonlyArray<Item>,
  value: number,
  valueOf: (item: Item) => number
): number => {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle] as Item
    if (valueOf(item) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The segment that is said at a moment, or was said last; -1 before the first one. */
export const segmentAt = (segments: ReadonlyArray<Segment>, seconds: number): number =>
  findLastAt(segments, seconds, ({ start }) => start)

/** The block of a segment. */
export const blockOf = (blocks: ReadonlyArray<Block>, segment: number): number =>
  findLastAt(blocks, segment, ({ first }) => first)

/** A stretch of a text. */
export interface Range {
  readonly from: number
  readonly to: number
}

const word = /\S+/gu

/** The word of a segment at a moment: its time is shared out by letters. */
export const wordAt = ({ end, start, text }: Segment, seconds: number): Range | undefined => {
  const said = text.trim()
  if (seconds < start || seconds > end || said === "") return undefined
  const at = ((seconds - start) / Math.max(0.01, end - start)) * said.length
  for (const { 0: found, index } of said.matchAll(word)) {
    if (at < index + found.length + 1) return { from: index, to: index + found.length }
  }
  return undefined
}

/** The moment of a letter of a segment: the beginning of its word. */
export const momentOf = ({ end, start, text }: Segment, offset: number): number => {
  const said = text.trim()
  const from = said.slice(0, offset + 1).search(/\S+$/u)
  return start + ((end - start) * Math.max(0, from)) / Math.max(1, said.length)
}

/** What a block takes besides its lines, a line, and a letter: as the style sheet has it. */
const sizes = { rest: 44, line: 26, letter: 7.4 } as const

/** The width of a block before any is drawn, in pixels. */
const widthGuess = 640

/** How tall a block is before it was drawn. */
export const guessHeight = ({ text }: Block): number =>
  sizes.rest + sizes.line * Math.max(1, Math.ceil((text.length * sizes.letter) / widthGuess))

/** How tall each item of a list is: guessed until it has been drawn, and then measured. */
export const makeHeights = (guesses: ReadonlyArray<number>) => {
  const heights = [...guesses]
  const tops = [0]
  const sum = (): void => {
    for (const [index, height] of heights.entries()) tops[index + 1] = (tops[index] ?? 0) + height
  }
  sum()
  return {
    /** Where a block begins; of the number of blocks, where the list ends. */
    topOf: (index: number): number => tops[Math.min(index, heights.length)] ?? 0,
    /** The block at a height. */
    indexAt: (top: number): number =>
      Math.max(
        0,
        Math.min(
          findLastAt(tops, top, (each) => each),
          heights.length - 1
        )
      ),
    /** Notes how tall some blocks are; whether that is news. */
    note: (
      measured: ReadonlyArray<{ readonly index: number; readonly height: number }>
    ): boolean => {
      const news = measured.filter(
        ({ height, index }) => Math.abs((heights[index] ?? height) - height) >= 1
      )
      for (const { height, index } of news) heights[index] = height
      if (news.length > 0) sum()
      return news.length > 0
    }
  }
}

/** Heights of a list. */
export type Heights = ReturnType<typeof makeHeights>

/** Where a text was found. */
export interface Hit extends Range {
  readonly block: number
}

/** More than that are not counted: nobody walks through them. */
export const hitMax = 10_000

/** Finds a text, in either case. */
export const findText = (blocks: ReadonlyArray<Block>, wanted: string): ReadonlyArray<Hit> => {
  if (wanted.trim() === "") return []
  const pattern = new RegExp(wanted.trim().replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&"), "gi")
  const hits: Array<Hit> = []
  for (const [block, { text }] of blocks.entries()) {
    for (const { 0: found, index } of text.matchAll(pattern)) {
      hits.push({ block, from: index, to: index + found.length })
      if (hits.length >= hitMax) return hits
    }
  }
  return hits
}

/** Seconds as a clock shows them. */
export const writeMoment = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (value: number) => String(value).padStart(2, "0")
  const minutes = Math.floor(whole / 60) % 60
  const hours = Math.floor(whole / 3_600)
  const end = two(whole % 60)
  return hours === 0 ? `${minutes}:${end}` : `${hours}:${two(minutes)}:${end}`
}
