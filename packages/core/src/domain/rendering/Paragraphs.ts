/**
 * Groups sentences into paragraphs. A new paragraph begins when the speaker changes, after a
 * silence at the end of a sentence, or at the end of a sentence once the paragraph is long.
 */
import type { Transcript } from "../transcription/Transcript.ts"
import { type Sentence, sentences } from "./Sentences.ts"

/** Consecutive sentences of one speaker, never empty. */
export interface Paragraph {
  readonly startMillis: number
  readonly speaker: string
  readonly sentences: ReadonlyArray<Sentence>
}

/** A silence of at least this length between two sentences begins a paragraph. */
export const silenceMillis = 2000

/** A paragraph ends with the first sentence that ends after this duration. */
export const lengthMillis = 60_000

/** Returns the paragraphs of a transcript, in order. */
export const paragraphs = (transcript: Transcript): ReadonlyArray<Paragraph> => {
  const done: Array<Paragraph> = []
  let open: Array<Sentence> = []
  for (const sentence of sentences(transcript)) {
    if (isEnded(open, sentence)) {
      done.push(...paragraphOf(open))
      open = []
    }
    open.push(sentence)
  }
  done.push(...paragraphOf(open))
  return done
}

/** Whether a paragraph with these sentences ends before the next sentence. */
const isEnded = (open: ReadonlyArray<Sentence>, next: Sentence): boolean => {
  const first = open.at(0)
  const last = open.at(-1)
  if (first === undefined || last === undefined) return false
  return (
    last.speaker !== next.speaker ||
    next.startMillis - last.endMillis >= silenceMillis ||
    last.endMillis - first.startMillis > lengthMillis
  )
}

/** Returns one paragraph; none if there are no sentences. */
const paragraphOf = (sentences: ReadonlyArray<Sentence>): ReadonlyArray<Paragraph> => {
  const [first] = sentences
  if (first === undefined) return []
  return [{ startMillis: first.startMillis, speaker: first.speaker, sentences }]
}
