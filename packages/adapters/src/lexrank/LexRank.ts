/**
 * Ranks sentences by their similarity to the other sentences (LexRank, Erkan and Radev 2004). The
 * ranks are the stationary distribution of a random walk between sentences, which prefers sentences
 * that share rare words. Instead of building the graph, a step multiplies by the matrix of word
 * weights and by its transpose. An hour of speech takes milliseconds, because nothing is computed
 * for every pair of sentences.
 */
import { Effect } from "effect"
import type { Analysis } from "./Analysis.ts"
import { inBatches } from "./TextUnits.ts"

/** The word weights of each sentence: a vector of length 1, or of length 0 if no word is left. */
export interface Weights {
  /** The index of each sentence's first entry, and the index after the last entry. */
  readonly starts: Int32Array
  /** The word number of each entry, in ascending order within a sentence. */
  readonly terms: Int32Array
  readonly values: Float64Array
  /** Number of distinct words. */
  readonly termCount: number
  /** Returns a word's rarity, which is 0 if the word is in every sentence or in none. */
  readonly rarityOf: (word: string) => number
}

/** In a long text, a word that occurs in a larger share of the sentences is ignored. */
const commonShare = 0.25
const manySentences = 40

/** Sentences per batch. A batch of sentences with 400 characters each takes a few milliseconds. */
const batchLength = 500

/** Weights words by their frequency in a sentence and their rarity in the whole text. */
export const weigh = Effect.fnUntraced(function* (
  documents: ReadonlyArray<ReadonlyArray<{ readonly term: string }>>
) {
  const ids = new Map<string, number>()
  const rows: Array<Row> = []
  const spread: Array<number> = []
  const count = (words: ReadonlyArray<{ readonly term: string }>) => {
    const row = countsOf(words, ids)
    for (const [term] of row) spread[term] = (spread[term] ?? 0) + 1
    rows.push(row)
  }
  yield* inBatches(documents, { batchLength, each: count })
  const rarity = spread.map((each) => rarityOf(each, documents.length))

  const starts = new Int32Array(rows.length + 1)
  const entryMax = rows.reduce((sum, row) => sum + row.length, 0)
  const terms = new Int32Array(entryMax)
  const values = new Float64Array(entryMax)
  let entry = 0
  const keep = (row: Row, index: number) => {
    for (const [term, value] of weighRow(row, rarity)) {
      terms[entry] = term
      values[entry] = value
      entry += 1
    }
    starts[index + 1] = entry
  }
  yield* inBatches(rows, { batchLength, each: keep })
  const weights: Weights = {
    starts,
    terms,
    values,
    termCount: ids.size,
    rarityOf: (word) => rarity[ids.get(word) ?? -1] ?? 0
  }
  return weights
})

type Row = ReadonlyArray<readonly [term: number, value: number]>

/** Reads a typed array at an index that must be within its bounds. */
const at = (values: Float64Array | Int32Array, index: number): number => values[index] ?? 0

/** Counts words, and sorts the counts by word number. New words get the next numbers. */
const countsOf = (
  words: ReadonlyArray<{ readonly term: string }>,
  ids: Map<string, number>
): Row => {
  const counts = new Map<number, number>()
  for (const { term } of words) {
    const id = ids.get(term) ?? ids.size
    ids.set(term, id)
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return Array.from(counts).sort(([a], [b]) => a - b)
}

const rarityOf = (count: number, total: number): number =>
  total > manySentences && count > total * commonShare ? 0 : Math.log(total / count)

/**
 * Returns a sentence's word weights as a unit vector, without words that occur in every sentence.
 */
const weighRow = (row: Row, rarity: ReadonlyArray<number>): Row => {
  const cached = row
    .map(([term, count]) => [term, count * (rarity[term] ?? 0)] as const)
    .filter(([, value]) => value > 0)
  const length = Math.sqrt(cached.reduce((sum, [, value]) => sum + value * value, 0))
  return cached.map(([term, value]) => [term, value / length])
}

/** Returns the similarity of two sentences, from 0 to 1. */
export const similarity = (weights: Weights, one: number, other: number): number => {
  const { starts, terms, values } = weights
  let [a, b] = [at(starts, one), at(starts, other)]
  let sum = 0
  while (a < at(starts, one + 1) && b < at(starts, other + 1)) {
    const difference = at(terms, a) - at(terms, b)
    if (difference === 0) sum += at(values, a) * at(values, b)
    if (difference <= 0) a++
    if (difference >= 0) b++
  }
  return sum
}

/** Returns, for each sentence, the sum of similarity times value over all other sentences. */
const sumSimilarities = (weights: Weights, vector: Float64Array): Float64Array => {
  const { starts, termCount, terms, values } = weights
  const held = new Float64Array(termCount)
  vector.forEach((value, row) => {
    for (let entry = at(starts, row); entry < at(starts, row + 1); entry++) {
      const term = at(terms, entry)
      held[term] = at(held, term) + at(values, entry) * value
    }
  })
  return vector.map((value, row) => {
    let sum = 0
    let self = 0
    for (let entry = at(starts, row); entry < at(starts, row + 1); entry++) {
      sum += at(values, entry) * at(held, at(terms, entry))
      self += at(values, entry) ** 2
    }
    return Math.max(0, sum - self * value)
  })
}

/**
 * Probability that the walk continues to a similar sentence instead of a random sentence (Page and
 * Brin 1998).
 */
const damping = 0.85

/**
 * Maximum number of steps. Each step multiplies the error by the damping factor, so 100 steps
 * reduce the error below 1e-7.
 */
const stepMax = 100

/**
 * The walk stops when the ranks change by less than this in total, because their order is then
 * final.
 */
const tolerance = 1e-7

/** Minimum sum of similarities; a smaller sum is a rounding error. */
const connectedMin = 1e-9

/** Returns the rank of each sentence; the ranks sum to 1. Equal input gives equal ranks. */
export const rank = Effect.fnUntraced(function* (weights: Weights) {
  const count = weights.starts.length - 1
  const totals = sumSimilarities(weights, new Float64Array(count).fill(1))
  let ranks = new Float64Array(count).fill(1 / count)
  for (let step = 0; step < stepMax; step++) {
    const next = walkOnce(weights, totals, ranks)
    const moved = next.reduce((sum, value, index) => sum + Math.abs(value - at(ranks, index)), 0)
    ranks = next
    if (moved < tolerance) break
    // Lets other work run, because ranking a ten-hour transcript takes a while.
    yield* Effect.yieldNow
  }
  return ranks
})

/**
 * Takes one step of the random walk. From a sentence that resembles no other, the walk goes to a
 * random sentence.
 */
const walkOnce = (weights: Weights, totals: Float64Array, ranks: Float64Array) => {
  const isConnected = (row: number) => at(totals, row) > connectedMin
  const shares = ranks.map((value, row) => (isConnected(row) ? value / at(totals, row) : 0))
  const lost = ranks.reduce((sum, value, row) => (isConnected(row) ? sum : sum + value), 0)
  const anywhere = (1 - damping + damping * lost) / ranks.length
  return sumSimilarities(weights, shares).map((value) => anywhere + damping * value)
}

/** A transcript with the rank of each sentence. */
export interface Ranked extends Analysis {
  readonly weights: Weights
  readonly ranks: Float64Array
}

/** A range of units; `to` is excluded. */
export interface UnitRange {
  readonly from: number
  readonly to: number
}
