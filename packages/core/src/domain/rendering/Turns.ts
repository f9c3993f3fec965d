/**
 * What one speaker says until another begins, as one text in which every character has its time.
 * Sentences are searched in turns: a segment is seldom a sentence, and none spans two speakers.
 */
import { isSpaced } from "../transcription/Language.ts"
import type { Segment, Transcript } from "../transcription/Transcript.ts"

/** A stretch of a turn's text whose time is known. */
interface TimedText {
  /** Where it begins in the text; it ends where the next one begins. */
  readonly offset: number
  readonly startMillis: number
  readonly endMillis: number
  /** Whether the engine timed this word; otherwise it is a whole segment. */
  readonly isWord: boolean
}

/** The uninterrupted speech of one speaker. */
export interface Turn {
  readonly speaker: string
  readonly text: string
  /** Single words where the engine timed them, else whole segments. Never empty; the first at 0. */
  readonly pieces: ReadonlyArray<TimedText>
  /** Where each segment begins in the text, the first at 0. */
  readonly segmentOffsets: ReadonlyArray<number>
}

/** What stands between two segments: a space, or nothing where the language has none. */
export const joiner = (transcript: Transcript): string => (isSpaced(transcript.language) ? " " : "")

/** The text of a segment as it is rendered: trimmed, and on one line. */
export const spokenText = (segment: Segment): string =>
  segment.text.replace(/[\n\v\f\r\u0085\u2028\u2029]+/g, " ").trim()

/** The turns of a transcript, in order. A segment without text belongs to none. */
export const turns = (transcript: Transcript): ReadonlyArray<Turn> => {
  const space = joiner(transcript)
  const done: Array<Turn> = []
  let open = makeDraft("")
  for (const segment of transcript.segments) {
    const text = spokenText(segment)
    if (text === "") continue
    if (open.speaker !== segment.speaker || open.texts.length === 0) {
      close(open, space, done)
      open = makeDraft(segment.speaker)
    }
    open.segmentOffsets.push(open.length)
    for (const { endMillis, isWord, offset, startMillis } of piecesOf(segment, text)) {
      open.pieces.push({ offset: open.length + offset, startMillis, endMillis, isWord })
    }
    open.texts.push(text)
    open.length += text.length + space.length
  }
  close(open, space, done)
  return done
}

/** A turn that is still growing. Its texts are joined once, at the end. */
const makeDraft = (speaker: string) => ({
  speaker,
  texts: Array.of<string>(),
  pieces: Array.of<TimedText>(),
  segmentOffsets: Array.of<number>(),
  length: 0
})

const close = (open: ReturnType<typeof makeDraft>, space: string, done: Array<Turn>) => {
  if (open.texts.length === 0) return
  const { pieces, segmentOffsets, speaker, texts } = open
  done.push({ speaker, text: texts.join(space), pieces, segmentOffsets })
}

/** Between two words stand a few marks and a space. More means the words are of another text. */
const skippedMax = 8

/** The words of a segment where they are found in its text in their order, else the segment. */
const piecesOf = (segment: Segment, text: string): ReadonlyArray<TimedText> => {
  const { endMillis, startMillis, words = [] } = segment
  const whole = [{ offset: 0, startMillis, endMillis, isWord: false }]
  const pieces: Array<TimedText> = []
  let position = 0
  for (const word of words) {
    const spelling = word.text.trim()
    const found = text.indexOf(spelling, position)
    // Given up at the first miss, so that a text is searched once in all.
    if (found === -1 || found - position > skippedMax) return whole
    const offset = pieces.length === 0 ? 0 : found
    pieces.push({
      offset,
      startMillis: word.startMillis,
      endMillis: word.endMillis,
      isWord: true
    })
    position = found + spelling.length
  }
  return pieces.length === 0 ? whole : pieces
}
