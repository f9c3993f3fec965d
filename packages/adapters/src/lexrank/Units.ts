/**
 * What a summary is put together from: the sentences of a transcript, or its segments where it has
 * no sentence marks, each with the words it is compared by.
 */
import { join, type Sentence, sentences } from "@verbatim/core/rendering/Sentences"
import { isSpaced, type Language } from "@verbatim/core/transcription/Language"
import type { Transcript } from "@verbatim/core/transcription/Transcript"

/** A sentence that can stand in a summary. */
export interface Unit {
  readonly startMillis: number
  readonly endMillis: number
  /** As it was said, never empty. */
  readonly text: string
}

/** Half a minute of speech: what is longer is no sentence, its marks are missing. */
const unitCharacterMax = 400

/** The same in scripts without spaces, where a character says more. */
const unspacedCharacterMax = 160

/** The sentences of a transcript, in order. */
export const units = (transcript: Transcript, language: Language): ReadonlyArray<Unit> => {
  const segmenter = wordSegmenter(language)
  const characterMax = isSpaced(language) ? unitCharacterMax : unspacedCharacterMax
  return merged(sentences(transcript)).flatMap(({ endMillis, startMillis, text }) =>
    pieces(text, characterMax, segmenter).map((piece) => ({ startMillis, endMillis, text: piece }))
  )
}

/** The words of a text, in lower case, without marks. */
export const wordsIn = (language: Language): ((text: string) => ReadonlyArray<string>) => {
  const segmenter = wordSegmenter(language)
  return (text) =>
    Array.from(segmenter.segment(text.toLocaleLowerCase(language)))
      .filter(({ isWordLike }) => isWordLike)
      .map(({ segment }) => segment)
}

const wordSegmenter = (language: Language) =>
  new Intl.Segmenter([language, "en"], { granularity: "word" })

/** Single letters (`J.`, `z.B.`, `т.е.`), titles without a vowel (`Dr.`, `Mrs.`), some others. */
const abbreviation =
  /(?:^|[\s.(])(?:\p{L}|\p{Lu}[b-df-hj-np-tv-z]{1,3}|Prof|Gen|Col|Rep|Sen|Gov|Capt|Rev)\.$/u

/** Sentences that were cut after an abbreviation, put together again. */
const merged = (parts: ReadonlyArray<Sentence>): ReadonlyArray<Sentence> => {
  const done: Array<Sentence> = []
  for (const part of parts) {
    const last = done.at(-1)
    const isContinued =
      last !== undefined &&
      last.speaker === part.speaker &&
      last.text.length < unitCharacterMax &&
      abbreviation.test(last.text)
    if (!isContinued) done.push(part)
    else
      done[done.length - 1] = {
        ...last,
        ...part,
        startMillis: last.startMillis,
        text: join([last, part])
      }
  }
  return done
}

/** A text cut between words into parts of a bearable length. */
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
    // A single word of this length is no word: it is cut anywhere.
    const length = boundary === 0 ? characterMax : boundary
    parts.push(text.slice(from, from + length).toWellFormed())
    from += length
  }
  parts.push(text.slice(from))
  return parts.map((part) => part.trim()).filter((part) => part !== "")
}
