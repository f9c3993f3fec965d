/** How far one name is from another, so that who misspelt one can be told which is meant. */

/** The row of distances for one more letter of the name that is compared. */
interface Row {
  readonly distances: ReadonlyArray<number>
  readonly letter: string
}

/**
 * Letters to insert, remove, replace or exchange with the next one, to make one text from the other
 * (the distance of Damerau and Levenshtein, each letter touched once).
 */
export const distance = (from: string, to: string): number => {
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

/** Of three letters one may be wrong: with more, a name is another one. */
const lettersPerMistake = 3

/** The known name that is meant by one that is not known; none for a name unlike all. */
export const nearest = (name: string, known: Iterable<string>): string | undefined => {
  const mistakesMax = Math.max(1, Math.floor(name.length / lettersPerMistake))
  const near = [...known]
    .map((each) => ({ each, mistakes: distance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ mistakes }) => mistakes <= mistakesMax)
  return near.toSorted((one, other) => one.mistakes - other.mistakes)[0]?.each
}
