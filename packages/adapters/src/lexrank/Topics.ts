/**
 * Where a transcript can be divided: near the borders of equal parts, where the text that follows
 * shares the fewest words with the text before (after TextTiling, Hearst 1997).
 */
import type { Ranked, Stretch } from "./Ranked.ts"

/** This many units before a border and after it are compared: a minute of speech. */
const viewUnits = 8

/** A border moves by at most this share of a part, … */
const moveShare = 0.35

/** … and by at most this many units, so that ten hours take no longer than one. */
const moveUnitMax = 40

/** This many parts, none of them empty if there are enough units. */
export const divide = (ranked: Ranked, count: number): ReadonlyArray<Stretch> => {
  const { length } = ranked.units
  const part = length / count
  const move = Math.min(Math.floor(part * moveShare), moveUnitMax)
  const borders = Array.from({ length: Math.max(0, count - 1) }, (_, index) =>
    bestBorder(ranked, { near: Math.round(part * (index + 1)), move })
  )
  return [0, ...borders].map((from, index) => ({ from, to: borders[index] ?? length }))
}

/** The border with the least in common on both sides; among equals the nearest. */
const bestBorder = (
  ranked: Ranked,
  { move, near }: { readonly near: number; readonly move: number }
): number => {
  let best = { at: near, cohesion: Number.POSITIVE_INFINITY }
  for (let step = 0; step <= 2 * move; step += 1) {
    const at = near + (step % 2 === 0 ? step / 2 : -(step + 1) / 2)
    const cohesion = cohesionAt(ranked, at)
    if (cohesion < best.cohesion) best = { at, cohesion }
  }
  return best.at
}

/** How many of the words before a border come back after it: 0 for none. */
const cohesionAt = ({ weights, words }: Ranked, at: number): number => {
  const before = sumOf(words.slice(Math.max(0, at - viewUnits), at), weights.rarityOf)
  const after = sumOf(words.slice(at, at + viewUnits), weights.rarityOf)
  let common = 0
  for (const [term, weight] of before) common += weight * (after.get(term) ?? 0)
  return common / (lengthOf(before) * lengthOf(after) || 1)
}

const sumOf = (
  rows: ReadonlyArray<ReadonlyArray<{ readonly term: string }>>,
  rarityOf: (term: string) => number
): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const row of rows) {
    for (const { term } of row) sums.set(term, (sums.get(term) ?? 0) + rarityOf(term))
  }
  return sums
}

const lengthOf = (sums: ReadonlyMap<string, number>): number =>
  Math.sqrt(Array.from(sums.values()).reduce((sum, value) => sum + value * value, 0))
