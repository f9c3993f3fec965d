/** Finds the known name closest to a misspelt one, so that an error message can suggest it. */

/** A row in the table of edit distances, for one letter of the misspelt name. */
interface Row {
  readonly distances: ReadonlyArray<number>
  readonly letter: string
}

/**
 * Returns the minimum number of edits that turn one string into the other: inserting, removing or
 * replacing a letter, or swapping two adjacent ones (Damerau–Levenshtein distance, each letter
 * edited once).
 */
export const editDistance = (from: string, to: string): number => {
  let before: Row | undefined
  let last: Row = { distances: Array.from({ length: to.length + 1 }, (_, at) => at), letter: "" }
  for (const letter of from) {
    const distances = [(last.distances[0] ?? 0) + 1]
    for (let at = 1; at <= to.length; at += 1) {
      const wrong = letter === to[at - 1] ? 0 : 1
      const isSwapped = letter === to[at - 2] && last.letter === to[at - 1]
      distances[at] = Math.min(
        (distances[at - 1] ?? 0) + 1,
        (last.distances[at] ?? 0) + 1,
        (last.distances[at - 1] ?? 0) + wrong,
        isSwapped ? (before?.distances[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      )
    }
    before = last
    last = { distances, letter }
  }
  return last.distances[to.length] ?? 0
}

/**
 * Number of letters for which one mistake is tolerated. If more than a third of the letters are
 * wrong, another name was probably meant.
 */
const lettersPerMistake = 3

/** Returns the known name that was probably meant; undefined if none is close. */
export const findNearestName = (name: string, known: Iterable<string>): string | undefined => {
  const mistakesMax = Math.max(1, Math.floor(name.length / lettersPerMistake))
  const near = [...known]
    .map((each) => ({ each, mistakes: editDistance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ mistakes }) => mistakes <= mistakesMax)
  return near.toSorted((one, other) => one.mistakes - other.mistakes)[0]?.each
}
