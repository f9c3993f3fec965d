/**
 * Two texts beside each other: lines that stand on both sides, and within a line that changed the
 * words that did.
 */
import { compareSequences, type Run } from "@verbatim/resolution"

/** A piece of a line; marked where only this side has it. */
interface Piece {
  readonly text: string
  readonly isMarked: boolean
}

/** A line of one side. */
export interface Line {
  readonly number: number
  readonly pieces: ReadonlyArray<Piece>
}

/** A line of each side; one may be missing. */
export interface Pair {
  readonly isSame: boolean
  readonly left: Line | undefined
  readonly right: Line | undefined
}

/** Longer lines are marked as a whole: nobody looks for a word in them. */
const lineMax = 20_000

/** Words, spaces, and single marks. */
const token = /[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu

const splitWords = (line: string): ReadonlyArray<string> => line.match(token) ?? []

const isBlank = (text: string): boolean => text.trim() === ""

/** The share of a line that both sides have, below which marks on words help nobody. */
const likenessMin = 0.3

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
  if (common < likenessMin * Math.max(from.length, to.length)) return apart
  return { left: piecesOf(runs, "removed"), right: piecesOf(runs, "added") }
}

/** No text has no line. */
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
  let gone: ReadonlyArray<string> = []
  const close = (come: ReadonlyArray<string>): void => {
    for (let place = 0; place < Math.max(gone.length, come.length); place += 1) {
      const left = gone[place]
      const right = come[place]
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
    gone = []
  }
  for (const { items, kind } of compareSequences(splitLines(from), splitLines(to))) {
    if (kind === "removed") {
      close([])
      gone = items
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
