/** Counts errors in recognised words by comparing them with the spoken ones. */

/** Gives all variants of a word one spelling, so that they do not count as errors. */
const spellings: Readonly<Record<string, string>> = {
  ...{ mr: "mister", mrs: "missus", dr: "doctor", harbor: "harbour", ok: "okay" },
  ...{ 1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight" },
  ...{ 9: "nine", 10: "ten" }
}

/** Returns the words of the text in lowercase, with a single spelling for each word. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? []).map(
    (word) => spellings[word] ?? word.replace("’", "'")
  )

/**
 * A spoken word and the word recognised for it. `recognised` is null for a missed word, and
 * `spoken` is null for an invented one.
 */
export type WordPair = readonly [spoken: string | null, heard: string | null]

/** Aligns the words in two texts, in order and with the fewest errors. */
export const alignWords = (spoken: string, recognised: string): ReadonlyArray<WordPair> => {
  const [said, heard] = [wordsOf(spoken), wordsOf(recognised)]
  const width = heard.length + 1
  /**
   * The minimum number of errors between the first `i` spoken and the first `j` recognised words.
   */
  const errors = new Uint32Array((said.length + 1) * width)
  const at = (i: number, j: number): number => errors[i * width + j] ?? 0
  const cost = (i: number, j: number): number => Number(said[i - 1] !== heard[j - 1])
  for (let i = 0; i <= said.length; i++) {
    for (let j = 0; j <= heard.length; j++) {
      errors[i * width + j] =
        i === 0 || j === 0
          ? i + j
          : Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + cost(i, j))
    }
  }
  const pairs: Array<WordPair> = []
  for (let i = said.length, j = heard.length; i > 0 || j > 0; ) {
    const isPair = i > 0 && j > 0 && at(i, j) === at(i - 1, j - 1) + cost(i, j)
    const isMissed = !isPair && i > 0 && at(i, j) === at(i - 1, j) + 1
    pairs.push([
      isPair || isMissed ? (said[i - 1] ?? null) : null,
      isMissed ? null : (heard[j - 1] ?? null)
    ])
    if (isPair || isMissed) i--
    if (!isMissed) j--
  }
  return pairs.reverse()
}

export interface WordCounts {
  readonly spoken: number
  readonly correct: number
  /** The number of wrong, missed and invented words. */
  readonly errors: number
  /** Recognised words that were not spoken. */
  readonly invented: number
}

/** Counts the words in an alignment. */
export const countWords = (pairs: ReadonlyArray<WordPair>): WordCounts => {
  const count = (isCounted: (pair: WordPair) => boolean) => pairs.filter(isCounted).length
  return {
    spoken: count(([spoken]) => spoken !== null),
    correct: count(([spoken, heard]) => spoken === heard),
    errors: count(([spoken, heard]) => spoken !== heard),
    invented: count(([spoken]) => spoken === null)
  }
}

/** Returns how many spoken keywords were recognised, and how often keywords were invented. */
export const countKeywords = (pairs: ReadonlyArray<WordPair>, keywords: ReadonlyArray<string>) => {
  const names = new Set(keywords.flatMap(wordsOf))
  const spoken = pairs.filter(([word]) => word !== null && names.has(word))
  return {
    spoken: spoken.length,
    found: spoken.filter(([word, heard]) => word === heard).length,
    invented: pairs.filter(([word, heard]) => heard !== null && names.has(heard) && word !== heard)
      .length
  }
}
