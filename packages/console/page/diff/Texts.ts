/** Compares two texts by lines, and changed lines by words. */
import { compareSequences, type Run } from "@verbatim/resolution"

/** A piece of a line, marked if only this side has it. */
interface Piece {
  readonly text: string
  readonly isMarked: boolean
}

/** A line on one side. */
export interface Line {
  readonly number: number
  readonly pieces: ReadonlyArray<Piece>
}

/** A pair of lines, one from each side; either may be missing. */
export interface Pair {
  readonly isSame: boolean
  readonly left: Line | undefined
  readonly right: Line | undefined
}

/** Longer lines are marked as a whole, because marks on words would not be readable. */
const lineMax = 20_000

/** Words, spaces, and single punctuation marks. */
const token = /[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu

const splitWords = (line: string): ReadonlyArray<string> => line.match(token) ?? []

const isBlank = (text: string): boolean => text.trim() === ""

/** Minimum share of common text in two lines; below this share, marks on words do not help. */
const similarityMin = 0.3

const piecesOf = (
  runs: ReadonlyArray<Run<string>>,
  side: "added" | "removed"
): ReadonlyArray<Piece> =>
  runs
    .filter(({ kind }) => kind === "same" || kind === side)
    .map(({ items, kind }) => ({ text: items.join(""), isMarked: kind === side }))

/** Marks the words that differ. */
const compareLines = (
  from: string,
  to: string
): { readonly left: ReadonlyArray<Piece>; readonly right: ReadonlyArray<Piece> } => {
  const whole = (text: string) => [{ text, isMarked: true }]
  const apart = { left: whole(from), right: whole(to) }
  if (from.length > lineMax || to.length > lineMax) return apart
  const runs = compareSequences(splitWords(from), splitWords(to))
  const common = runs
    .filter(({ items, kind }) => kind === "same" && !items.every(isBlank))
    .reduce((sum, { items }) => sum + items.join("").length, 0)
  if (common < similarityMin * Math.max(from.length, to.length)) return apart
  return { left: piecesOf(runs, "removed"), right: piecesOf(runs, "added") }
}

/** An empty text has no lines. */
const splitLines = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.split("\n"))

/** Compares two texts line by line. */
export const compareTexts = (from: string, to: string): ReadonlyArray<Pair> => {
  const pairs: Array<Pair> = []
  const next = { left: 1, right: 1 }
  const take = (side: "left" | "right", pieces: ReadonlyArray<Piece>): Line => {
    const number = next[side]
    next[side] += 1
    return { number, pieces }
  }
  const plain = (text: string) => [{ text, isMarked: false }]
  const whole = (text: string) => [{ text, isMarked: true }]
  let removed: ReadonlyArray<string> = []
  const close = (added: ReadonlyArray<string>): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      const left = removed[index]
      const right = added[index]
      const marked = left === undefined || right === undefined ? {} : compareLines(left, right)
      const { left: leftPieces, right: rightPieces } = {
        left: left === undefined ? undefined : whole(left),
        right: right === undefined ? undefined : whole(right),
        ...marked
      }
      pairs.push({
        isSame: false,
        left: leftPieces === undefined ? undefined : take("left", leftPieces),
        right: rightPieces === undefined ? undefined : take("right", rightPieces)
      })
    }
    removed = []
  }
  for (const { items, kind } of compareSequences(splitLines(from), splitLines(to))) {
    if (kind === "removed") {
      close([])
      removed = items
      continue
    }
    if (kind === "added") close(items)
    else {
      close([])
      for (const line of items) {
        pairs.push({
          isSame: true,
          left: take("left", plain(line)),
          right: take("right", plain(line))
        })
      }
    }
  }
  close([])
  return pairs
}
