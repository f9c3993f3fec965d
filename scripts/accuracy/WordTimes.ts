/** Times of words: those that flite reports, and the errors of recognised ones. Pure. */
import { alignWords } from "@verbatim/testkit/samples"

/** A time range in a recording. */
interface Range {
  readonly startMillis: number
  readonly endMillis: number
}

/** A word and its range, or null if the range is unknown. */
export interface TimedWord {
  readonly text: string
  readonly range: Range | null
}

/**
 * Finds the times of a sentence's words in the output of flite: its phones with their ends in
 * seconds, where `pau` is a pause. Each word has as many phones as when flite speaks it alone.
 */
export const timeWords = (
  words: ReadonlyArray<string>,
  { alone, sentence }: { readonly alone: string; readonly sentence: string }
): ReadonlyArray<TimedWord> => {
  const phones = Array.from(sentence.matchAll(/([a-z]+):([\d.]+)/g), ([, name, end]) => ({
    name,
    endMillis: Math.round(Number(end) * 1_000)
  }))
    .map((phone, at, all) => ({ ...phone, startMillis: all[at - 1]?.endMillis ?? 0 }))
    .filter(({ name }) => name !== "pau")
  const counts = alone.split("pau").flatMap((word) => word.match(/[a-z]+/g)?.length ?? [])
  const total = counts.reduce((sum, count) => sum + count, 0)
  const areKnown = counts.length === words.length && total === phones.length
  let to = 0
  return words.map((text, index) => {
    const startMillis = phones[to]?.startMillis ?? 0
    to += counts[index] ?? 0
    const range = { startMillis, endMillis: phones[to - 1]?.endMillis ?? 0 }
    return { text, range: areKnown ? range : null }
  })
}

/** Returns the ranges of words, split in the same way as texts are split when they are compared. */
const rangesOf = (words: ReadonlyArray<TimedWord>) =>
  words.flatMap(({ range, text }) => alignWords(text, "").map(() => range))

const join = (words: ReadonlyArray<TimedWord>): string => words.map(({ text }) => text).join(" ")

/**
 * Returns by how many milliseconds the start and the end of each correctly recognised word are
 * wrong, if both times are known.
 */
export const wordTimeErrors = (
  known: ReadonlyArray<TimedWord>,
  heard: ReadonlyArray<TimedWord>
): ReadonlyArray<number> => {
  const [knownRanges, heardRanges] = [rangesOf(known).values(), rangesOf(heard).values()]
  return alignWords(join(known), join(heard)).flatMap(([spoken, recognised]) => {
    const one = spoken === null ? null : knownRanges.next().value
    const other = recognised === null ? null : heardRanges.next().value
    if (spoken !== recognised || !one || !other) return []
    return [
      Math.abs(one.startMillis - other.startMillis),
      Math.abs(one.endMillis - other.endMillis)
    ]
  })
}
