/**
 * Cuts a recording into pieces that are short enough for a model, in silence if possible, so that
 * no word is cut in two. Pure.
 */
import { type Span, sampleRate } from "./Protocol.ts"

/**
 * Whisper accepts 30 s and silently drops the rest. Some of the 30 s are left for its own padding.
 */
export const pieceMax = 25 * sampleRate

/**
 * Speech with a shorter break stays in one piece, because models are more accurate with context.
 */
const breakMax = 1 * sampleRate

/** Minimum length of a piece before a cut. */
const pieceMin = 5 * sampleRate

const length = ({ end, start }: Span): number => end - start

/** Sorts and clips the spans to the audio, joins overlapping ones and drops empty ones. */
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

/** Divides a span into equal parts, none longer than the maximum. */
const divideSpan = (span: Span): ReadonlyArray<Span> => {
  const count = Math.ceil(length(span) / pieceMax)
  const at = (index: number) => span.start + Math.floor((length(span) * index) / count)
  return Array.from({ length: count }, (_, index) => ({ start: at(index), end: at(index + 1) }))
}

/** Keeps only speech, and joins neighbours that fit into one piece. */
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

/** Returns the middle of each silence. */
const middles = (speech: ReadonlyArray<Span>): ReadonlyArray<number> =>
  speech.flatMap((span, index) => {
    const next = speech[index + 1]
    return next === undefined || next.start <= span.end
      ? []
      : [Math.floor((span.end + next.start) / 2)]
  })

/** Covers all audio, with cuts in silences. */
const coverAll = (speech: ReadonlyArray<Span>, sampleCount: number): ReadonlyArray<Span> => {
  const cuts = middles(speech)
  const cutPieces: Array<Span> = []
  for (let start = 0; start < sampleCount; ) {
    const latest = start + pieceMax
    const cut = cuts.findLast((each) => each > start + pieceMin && each <= latest) ?? latest
    const end = latest >= sampleCount ? sampleCount : cut
    cutPieces.push({ start, end })
    start = end
  }
  return cutPieces
}

/**
 * Returns a recording's pieces, or none if it has no speech. If silence is not removed, the pieces
 * cover all audio.
 */
export const cutPieces = (recording: {
  readonly sampleCount: number
  readonly speech: ReadonlyArray<Span>
  readonly isVadFiltered: boolean
}): ReadonlyArray<Span> => {
  const { isVadFiltered, sampleCount } = recording
  const speech = within(recording.speech, sampleCount)
  if (speech.length === 0) return []
  return isVadFiltered ? joinSpeech(speech) : coverAll(speech, sampleCount)
}
