/** Splits words into segments, for engines that return only words. Pure. */

/** A recognised word with its start and end. */
export interface TimedWord {
  readonly startMillis: number
  readonly endMillis: number
  readonly text: string
}

/** Pause in milliseconds after which a new segment starts, as in subtitles. */
const pauseMillis = 700

/**
 * Maximum number of words in a segment: three subtitle lines, which seldom contain a whole
 * sentence.
 */
const phraseWordMax = 24

/**
 * Splits a list of words at pauses, at sentence ends, at the word limit, and wherever `mustSplit`
 * returns true.
 */
export const splitPhrases = <W extends TimedWord>(
  words: ReadonlyArray<W>,
  mustSplit: (last: W, next: W) => boolean = () => false
): ReadonlyArray<ReadonlyArray<W>> => {
  const phrases: Array<ReadonlyArray<W>> = []
  let open: Array<W> = []
  for (const word of words) {
    const last = open.at(-1)
    const isPause = last !== undefined && word.startMillis - last.endMillis > pauseMillis
    const isEnd = last !== undefined && /[.?!\u3002\uff1f\uff01]$/.test(last.text)
    const isApart = last !== undefined && mustSplit(last, word)
    if (isPause || isEnd || isApart || open.length === phraseWordMax) {
      phrases.push(open)
      open = []
    }
    open.push(word)
  }
  return open.length > 0 ? [...phrases, open] : phrases
}
