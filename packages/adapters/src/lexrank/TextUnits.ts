/**
 * Splits a transcript into units for a summary: sentences, or segments if there are no sentence
 * marks.
 */
import { join, type Sentence, sentences } from "@verbatim/core/rendering"
import { isSpaced, type Language, type Transcript } from "@verbatim/core/transcription"
import { Effect } from "effect"
import { makeSegmenter } from "./Terms.ts"

/** A sentence that can be part of a summary. */
export interface TextUnit {
  readonly startMillis: number
  readonly endMillis: number
  /** The original text, never empty. */
  readonly text: string
}

/**
 * Maximum length of a sentence in characters: half a minute of speech. A longer sentence shows that
 * the text lacks closing punctuation.
 */
const unitCharacterMax = 400

/**
 * Maximum length of a sentence in scripts without spaces, where one character carries more meaning.
 */
const unspacedCharacterMax = 160

/** Number of sentences processed before other work can run. */
const batchLength = 5_000

/** Processes every item in order; after each batch, other work can run. */
export const inBatches = Effect.fnUntraced(function* <A>(
  items: ReadonlyArray<A>,
  work: { readonly batchLength: number; readonly each: (item: A, index: number) => void }
) {
  const { batchLength, each } = work
  for (let from = 0; from < items.length; from += batchLength) {
    const batch = items.slice(from, from + batchLength)
    batch.forEach((item, index) => {
      each(item, from + index)
    })
    yield* Effect.yieldNow
  }
})

/** Returns a transcript's units, in order. */
export const splitIntoUnits = Effect.fnUntraced(function* (
  transcript: Transcript,
  language: Language
) {
  const segmenter = makeSegmenter(language)
  const characterMax = isSpaced(language) ? unitCharacterMax : unspacedCharacterMax
  const done: Array<TextUnit> = []
  let open: Sentence | undefined
  const close = () => {
    if (open === undefined) return
    const { endMillis, startMillis, text } = open
    if (text.length <= characterMax) done.push({ startMillis, endMillis, text })
    else
      for (const piece of pieces(text, characterMax, segmenter))
        done.push({ startMillis, endMillis, text: piece })
  }
  const each = (part: Sentence) => {
    if (open !== undefined && isContinued(open, part)) {
      open = { ...open, ...part, startMillis: open.startMillis, text: join([open, part]) }
      return
    }
    close()
    open = part
  }
  yield* inBatches(sentences(transcript), { batchLength, each })
  close()
  return done
})

/**
 * Matches single letters (`J.`, `z.B.`, `т.е.`), titles without a vowel (`Dr.`, `Mrs.`), and some
 * other abbreviations.
 */
const abbreviation =
  /(?:^|[\s.(])(?:\p{L}|\p{Lu}[b-df-hj-np-tv-z]{1,3}|Prof|Gen|Col|Rep|Sen|Gov|Capt|Rev)\.$/u

/** Whether a sentence was cut after an abbreviation. */
const isContinued = (last: Sentence, next: Sentence): boolean =>
  last.text.endsWith(".") &&
  last.speaker === next.speaker &&
  last.text.length < unitCharacterMax &&
  abbreviation.test(last.text)

/** Splits text between words into parts of reasonable length. */
const pieces = (
  text: string,
  characterMax: number,
  segmenter: Intl.Segmenter
): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let from = 0
  while (text.length - from > characterMax) {
    const ahead = text.slice(from, from + 2 * characterMax)
    const boundary = segmenter.segment(ahead).containing(characterMax)?.index ?? 0
    // A string of this length without a word boundary is not a word, and can be cut anywhere.
    const length = boundary === 0 ? characterMax : boundary
    parts.push(text.slice(from, from + length).toWellFormed())
    from += length
  }
  parts.push(text.slice(from))
  return parts.map((part) => part.trim()).filter((part) => part !== "")
}
