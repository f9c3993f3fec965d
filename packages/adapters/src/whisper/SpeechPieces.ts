/**
 * Where a recording is cut, so that each piece is short enough for a model and no word is cut in
 * two: in silence where there is some. Pure.
 */
import { type Span, sampleRate } from "./Protocol.ts"

/** Whisper takes 30 s and silently drops the rest; some room is left for its own padding. */
export const pieceMax = 25 * sampleRate

/** Speech with a shorter break is one piece: a model hears better with context. */
const breakMax = 1 * sampleRate

/** A cut is looked for after this much of a piece. */
const pieceMin = 5 * sampleRate

const length = ({ end, start }: Span): number => end - start

/** In order, within the audio, joined where they overlap, without empty ones. */
const within = (speech: ReadonlyArray<Span>, sampleCount: number): ReadonlyArray<Span> => {
  const union: Array<Span> = []
  const clipped = speech
    .map(({ end, start }) => ({ start: Math.max(start, 0), end: Math.min(end, sampleCount) }))
    .filter((span) => length(span) > 0)
    .sort((a, b) => a.start - b.start)
  for (const span of clipped) {
    const last = union.at(-1)
    if (last === undefined || span.start > last.end) union.push(span)
    else union[union.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
  }
  return union
}

/** Equal parts, none longer than a piece may be. */
const divideSpan = (span: Span): ReadonlyArray<Span> => {
  const count = Math.ceil(length(span) / pieceMax)
  const at = (index: number) => span.start + Math.floor((length(span) * index) / count)
  return Array.from({ length: count }, (_, index) => ({ start: at(index), end: at(index + 1) }))
}

/** Only the speech: neighbours are joined as long as they fit into one piece. */
const joinSpeech = (speech: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const joined: Array<Span> = []
  for (const span of speech) {
    const last = joined.at(-1)
    const isNear = last !== undefined && span.start - last.end <= breakMax
    if (last !== undefined && isNear && span.end - last.start <= pieceMax) {
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
    } else joined.push(span)
  }
  return joined.flatMap(divideSpan)
}

/** The middle of each silence. */
const middles = (speech: ReadonlyArray<Span>): ReadonlyArray<number> =>
  speech.flatMap((span, index) => {
    const next = speech[index + 1]
    return next === undefined || next.start <= span.end
      ? []
      : [Math.floor((span.end + next.start) / 2)]
  })

/** All of the audio, cut in silences. */
const coverAll = (speech: ReadonlyArray<Span>, sampleCount: number): ReadonlyArray<Span> => {
  const cuts = middles(speech)
  const pieces: Array<Span> = []
  for (let start = 0; start < sampleCount; ) {
    const latest = start + pieceMax
    const cut = cuts.findLast((each) => each > start + pieceMin && each <= latest) ?? latest
    const end = latest >= sampleCount ? sampleCount : cut
    pieces.push({ start, end })
    start = end
  }
  return pieces
}

/**
 * The pieces of a recording. Without speech there are none; where silence is not removed, they
 * cover all of the audio.
 */
export const pieces = (recording: {
  readonly sampleCount: number
  readonly speech: ReadonlyArray<Span>
  readonly isVadFiltered: boolean
}): ReadonlyArray<Span> => {
  const { isVadFiltered, sampleCount } = recording
  const speech = within(recording.speech, sampleCount)
  if (speech.length === 0) return []
  return isVadFiltered ? joinSpeech(speech) : coverAll(speech, sampleCount)
}
