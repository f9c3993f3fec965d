/**
 * Joins consecutive segments of one speaker into a turn: one text in which every character has a
 * timestamp. Sentences are found within turns, because a segment is rarely a sentence, and no
 * sentence has two speakers.
 */
import { isSpaced } from "../transcription/Language.ts"
import type { Segment, Transcript } from "../transcription/Transcript.ts"

/** A part of a turn's text that has timestamps: a word or a segment. */
interface TimedText {
  /** Where the piece begins in the turn's text. It ends where the next one begins. */
  readonly offset: number
  readonly startMillis: number
  readonly endMillis: number
  /** Whether the piece is a word that the engine timed, and not a whole segment. */
  readonly isWord: boolean
}

/** A speaker turn, as text with timestamps. */
export interface Turn {
  readonly speaker: string
  readonly text: string
  /**
   * The words that the engine timed; whole segments where it timed none. The list is never empty,
   * and the first piece begins at 0.
   */
  readonly pieces: ReadonlyArray<TimedText>
  /** The offsets of the segments that begin with a new word; the first is 0. */
  readonly segmentOffsets: ReadonlyArray<number>
  /** The offsets of the segments that continue the word before them. There are rarely any. */
  readonly joints: ReadonlyArray<number>
  /** The gap between the previous turn and this one: a space, or nothing. */
  readonly gap: string
}

/** Returns the usual gap between two segments in a language. */
const usualGap = (language: string): string => (isSpaced(language) ? " " : "")

/** Returns the gap before a segment other than the first: a space, or nothing. */
const gapBefore = ({ hasSpaceBefore }: Segment, usual: string): string => {
  if (hasSpaceBefore === undefined) return usual
  return hasSpaceBefore ? " " : ""
}

/** Joins the texts of all segments, with spaces where the transcript has them. */
export const wholeText = ({ language, segments }: Pick<Transcript, "language" | "segments">) => {
  const usual = usualGap(language)
  const texts: Array<string> = []
  for (const segment of segments) {
    const text = spokenText(segment)
    if (text === "") continue
    if (texts.length > 0) texts.push(gapBefore(segment, usual))
    texts.push(text)
  }
  return texts.join("")
}

/** Returns the text of a segment, trimmed and on one line. */
const spokenText = (segment: Segment): string =>
  segment.text.replace(/[\n\v\f\r\u0085\u2028\u2029]+/g, " ").trim()

/** Returns the turns of a transcript, in order. Segments without text are left out. */
export const turns = (transcript: Transcript): ReadonlyArray<Turn> => {
  const usual = usualGap(transcript.language)
  const done: Array<Turn> = []
  let open = makeDraft("", "")
  for (const segment of transcript.segments) {
    const text = spokenText(segment)
    if (text === "") continue
    const gap = gapBefore(segment, usual)
    if (open.speaker !== segment.speaker || open.texts.length === 0) {
      close(open, done)
      open = makeDraft(segment.speaker, gap)
    } else if (gap !== "") {
      open.texts.push(gap)
      open.length += gap.length
    }
    const isContinued = gap === "" && usual !== "" && open.length > 0
    const offsets = isContinued ? open.joints : open.segmentOffsets
    offsets.push(open.length)
    for (const { endMillis, isWord, offset, startMillis } of piecesOf(segment, text)) {
      open.pieces.push({ offset: open.length + offset, startMillis, endMillis, isWord })
    }
    open.texts.push(text)
    open.length += text.length
  }
  close(open, done)
  return done
}

/** Creates a turn to which segments can be added. Their texts are joined once, at the end. */
const makeDraft = (speaker: string, gap: string) => ({
  speaker,
  gap,
  texts: Array.of<string>(),
  pieces: Array.of<TimedText>(),
  segmentOffsets: Array.of<number>(),
  joints: Array.of<number>(),
  length: 0
})

const close = (open: ReturnType<typeof makeDraft>, done: Array<Turn>) => {
  if (open.texts.length === 0) return
  const { gap, joints, pieces, segmentOffsets, speaker, texts } = open
  done.push({ speaker, text: texts.join(""), pieces, segmentOffsets, joints, gap })
}

/**
 * Maximum number of characters between two timed words: a few punctuation marks and a space. If
 * there are more, the engine's words do not match the text.
 */
const skippedMax = 8

/**
 * Returns a segment's timed words if its text contains them in order, or else the whole segment.
 */
const piecesOf = (segment: Segment, text: string): ReadonlyArray<TimedText> => {
  const { endMillis, startMillis, words = [] } = segment
  const whole = [{ offset: 0, startMillis, endMillis, isWord: false }]
  const pieces: Array<TimedText> = []
  let position = 0
  for (const word of words) {
    const spelling = word.text.trim()
    const found = text.indexOf(spelling, position)
    // Stops at the first word that is not found, so that the text is searched only once.
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
