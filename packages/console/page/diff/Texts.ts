/** Compares two texts line by line, and changed lines word by word. */
import { compareSequences, type Run } from "@verbatim/resolution"

type Piece = Readonly<{ text: string; isMarked: boolean }>
export type Line = Readonly<{ number: number; pieces: ReadonlyArray<Piece> }>
export type Pair = Readonly<{ isSame: boolean; left: Line | undefined; right: Line | undefined }>

/** Longer lines are marked as a whole, because word marks would be unreadable. */
const lineMax = 20_000
const token = /[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu
const splitWords = (line: string): ReadonlyArray<string> => line.match(token) ?? []
const isBlank = (text: string): boolean => text.trim() === ""

/** Lines that have less text in common are marked as a whole. */
const similarityMin = 0.3

const piecesOf = (runs: ReadonlyArray<Run<string>>, side: "added" | "removed") =>
  runs
    .filter(({ kind }) => kind === "same" || kind === side)
    .map(({ items, kind }) => ({ text: items.join(""), isMarked: kind === side }))

const splitLines = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.split("\n"))
type Lines = Readonly<{ isSame: boolean; left: string | undefined; right: string | undefined }>
const pairLines = (from: string, to: string): ReadonlyArray<Lines> => {
  const pairs: Array<Lines> = []
  let removed: ReadonlyArray<string> = []
  const close = (added: ReadonlyArray<string>): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      pairs.push({ isSame: false, left: removed[index], right: added[index] })
    }
    removed = []
  }
  for (const { items, kind } of compareSequences(splitLines(from), splitLines(to))) {
    close(kind === "added" ? items : [])
    if (kind === "removed") removed = items
    if (kind === "same")
      pairs.push(...items.map((text) => ({ isSame: true, left: text, right: text })))
  }
  close([])
  return pairs
}

const markPair = ({ isSame, left, right }: Lines) => {
  const mark = (text: string | undefined): ReadonlyArray<Piece> | undefined =>
    text === undefined ? undefined : [{ text, isMarked: !isSame }]
  const whole = { left: mark(left), right: mark(right) }
  if (isSame || left === undefined || right === undefined) return whole
  if (Math.max(left.length, right.length) > lineMax) return whole
  const runs = compareSequences(splitWords(left), splitWords(right))
  const common = runs
    .filter(({ items, kind }) => kind === "same" && !items.every(isBlank))
    .reduce((sum, { items }) => sum + items.join("").length, 0)
  if (common < similarityMin * Math.max(left.length, right.length)) return whole
  return { left: piecesOf(runs, "removed"), right: piecesOf(runs, "added") }
}

export const compareTexts = (from: string, to: string): ReadonlyArray<Pair> => {
  const counts = { left: 0, right: 0 }
  const toLine = (side: "left" | "right", pieces: ReadonlyArray<Piece> | undefined) => {
    if (pieces === undefined) return undefined
    counts[side] += 1
    return { number: counts[side], pieces }
  }
  return pairLines(from, to).map((pair) => {
    const { left, right } = markPair(pair)
    return { isSame: pair.isSame, left: toLine("left", left), right: toLine("right", right) }
  })
}
