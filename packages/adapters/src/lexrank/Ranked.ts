/** A transcript with the rank of each sentence, and the parts of it. */
import type { Weights } from "./LexRank.ts"
import type { Reading } from "./Reading.ts"

/** A transcript with the rank of each sentence. */
export interface Ranked extends Reading {
  readonly weights: Weights
  readonly ranks: Float64Array
}

/** A part of the units: from one up to another, which is excluded. */
export interface Stretch {
  readonly from: number
  readonly to: number
}
