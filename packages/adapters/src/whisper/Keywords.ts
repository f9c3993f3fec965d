/**
 * Applies keywords to transducer models. A piece is decoded twice: without keywords, and with the
 * keywords as hot words. The second result is used only where it contains a keyword that is spelt
 * similarly to the words heard. A keyword can replace a word in this way, but never appear in
 * silence. Pure.
 */
import type { Word } from "@verbatim/core/transcription"

const normalise = (text: string): string =>
  text.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "")

/** Returns the individual words of all keywords. */
const wordsOf = (keywords: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(keywords.flatMap((keyword) => keyword.split(/\s+/).map(normalise)).filter(Boolean))

/** Returns the keywords in sherpa-onnx's format, where some characters have a special meaning. */
export const toHotWords = (keywords: ReadonlyArray<string>): string =>
  keywords
    .map((keyword) => keyword.replace(/[/:#@\s]+/g, " ").trim())
    .filter(Boolean)
    .join("/")

/** Returns the edit distances between all prefixes of two lists. */
const editTable = <T>(one: ReadonlyArray<T>, other: ReadonlyArray<T>) => {
  const rows: Array<ReadonlyArray<number>> = [[0, ...other.map((_, j) => j + 1)]]
  for (const [i, item] of one.entries()) {
    const above = rows[i] ?? []
    const row = [i + 1]
    for (const [j, each] of other.entries()) {
      const replaced = (above[j] ?? 0) + Number(item !== each)
      row.push(Math.min(replaced, (above[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1))
    }
    rows.push(row)
  }
  return (i: number, j: number): number => rows[i]?.[j] ?? 0
}

/** Returns the letters of the given words, without accents. */
const lettersOf = (words: ReadonlyArray<Word>): ReadonlyArray<string> =>
  Array.from(
    words.map(({ text }) => normalise(text).normalize("NFD").replace(/\p{M}/gu, "")).join("")
  )

/**
 * Whether two lists of words are spelt similarly: at most half of the letters differ. No word is
 * similar to silence.
 */
const isSimilar = (words: ReadonlyArray<Word>, others: ReadonlyArray<Word>): boolean => {
  const [one, other] = [lettersOf(words), lettersOf(others)]
  const longest = Math.max(one.length, other.length)
  return editTable(one, other)(one.length, other.length) <= longest / 2
}

/** A pair of corresponding word ranges in two recognition results. */
interface Region<W> {
  readonly plain: ReadonlyArray<W>
  readonly biased: ReadonlyArray<W>
}

/** Splits two results into matching words and the regions between them. */
const align = <W extends Word>(
  plain: ReadonlyArray<W>,
  biased: ReadonlyArray<W>
): ReadonlyArray<Region<W>> => {
  const [one, other] = [plain, biased].map((words) => words.map(({ text }) => normalise(text)))
  const edits = editTable(one ?? [], other ?? [])
  const regions: Array<Region<W>> = []
  let [i, j] = [plain.length, biased.length]
  let [iEnd, jEnd] = [i, j]
  const close = () => {
    if (i < iEnd || j < jEnd) {
      regions.push({ plain: plain.slice(i, iEnd), biased: biased.slice(j, jEnd) })
    }
  }
  while (i > 0 && j > 0) {
    const isEqual = one?.[i - 1] === other?.[j - 1]
    if (isEqual && edits(i, j) === edits(i - 1, j - 1)) {
      close()
      regions.push({ plain: plain.slice(i - 1, i), biased: biased.slice(j - 1, j) })
      ;[iEnd, jEnd] = [--i, --j]
    } else if (edits(i, j) === edits(i - 1, j - 1) + 1) [i, j] = [i - 1, j - 1]
    else if (edits(i, j) === edits(i - 1, j) + 1) i -= 1
    else j -= 1
  }
  ;[i, j] = [0, 0]
  close()
  return regions.reverse()
}

/**
 * Assigns the timestamps of one list of words to another list, so that both lists begin and end at
 * the same time, and each word overlaps a word in the other list.
 */
const placeAt = <W extends Word>(
  words: ReadonlyArray<W>,
  heard: ReadonlyArray<W>
): ReadonlyArray<W> => {
  const millisAt = (place: number, isEnd: boolean): number => {
    const index = isEnd ? Math.ceil(place) - 1 : Math.floor(place)
    const { endMillis = 0, startMillis = 0 } = heard[index] ?? {}
    return Math.round(startMillis + (place - index) * (endMillis - startMillis))
  }
  return words.map((word, index) => ({
    ...word,
    startMillis: millisAt((index * heard.length) / words.length, false),
    endMillis: millisAt(((index + 1) * heard.length) / words.length, true)
  }))
}

/** Replaces a region's words if the hot-word result has similarly spelt keywords there. */
const chooseWords = <W extends Word>(
  { biased, plain }: Region<W>,
  keywords: ReadonlySet<string>
): ReadonlyArray<W> => {
  if (plain.length > 1 && plain.length === biased.length) {
    return plain.flatMap((word, index) => {
      const pair = { plain: [word], biased: biased.slice(index, index + 1) }
      return chooseWords(pair, keywords)
    })
  }
  const isTaken =
    biased.length > 0 &&
    biased.every(({ text }) => keywords.has(normalise(text))) &&
    isSimilar(plain, biased)
  return isTaken ? placeAt(biased, plain) : plain
}

/** Returns the result without keywords, corrected with keywords from the hot-word result. */
export const mergeKeywords = <W extends Word>(
  recognised: { readonly plain: ReadonlyArray<W>; readonly biased: ReadonlyArray<W> },
  keywords: ReadonlyArray<string>
): ReadonlyArray<W> => {
  const known = wordsOf(keywords)
  return align(recognised.plain, recognised.biased).flatMap((region) => chooseWords(region, known))
}
