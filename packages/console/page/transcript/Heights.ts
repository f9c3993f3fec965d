/**
 * How tall each block of a long list is: guessed by its length until it has been drawn, and then
 * measured. Sums are kept, so that ten thousand blocks are asked for one in a few steps.
 */

/** Heights of a list. */
export interface Heights {
  /** Where a block begins; of its length, where the list ends. */
  readonly topOf: (index: number) => number
  /** The block at a height. */
  readonly indexAt: (top: number) => number
  /** Notes how tall a block is; whether that is news. */
  readonly note: (index: number, height: number) => boolean
}

/** Makes the heights of a list from guesses. Sums of a binary indexed tree (Fenwick, 1994). */
export const makeHeights = (guesses: ReadonlyArray<number>): Heights => {
  const heights = Float64Array.from(guesses)
  const sums = new Float64Array(guesses.length + 1)
  const add = (index: number, by: number): void => {
    for (let at = index + 1; at < sums.length; at += at & -at) sums[at] = (sums[at] ?? 0) + by
  }
  for (let at = 1; at < sums.length; at += 1) {
    const sum = (sums[at] ?? 0) + (heights[at - 1] ?? 0)
    const above = at + (at & -at)
    sums[at] = sum
    if (above < sums.length) sums[above] = (sums[above] ?? 0) + sum
  }
  const topOf = (index: number): number => {
    let sum = 0
    for (let at = Math.min(index, heights.length); at > 0; at -= at & -at) sum += sums[at] ?? 0
    return sum
  }
  return {
    topOf,
    indexAt: (top) => {
      let low = 0
      let rest = top
      for (let size = 2 ** Math.floor(Math.log2(sums.length || 1)); size >= 1; size /= 2) {
        const sum = sums[low + size]
        if (sum === undefined || sum > rest) continue
        low += size
        rest -= sum
      }
      return Math.max(0, Math.min(low, heights.length - 1))
    },
    note: (index, height) => {
      const before = heights[index]
      if (before === undefined || Math.abs(before - height) < 1) return false
      heights[index] = height
      add(index, height - before)
      return true
    }
  }
}
