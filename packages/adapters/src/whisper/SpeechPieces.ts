/**
 * Cuts a recording into pieces that are short enough for a model, in silence if possible, so that
 * no word is cut in two. Pure.
 */
import type { SampleRange } from "@verbatim/core/ports"
import type { PieceSegment } from "@verbatim/core/transcription"
import { sampleRate } from "./Protocol.ts"

/**
 * Maximum length of a piece. Whisper silently drops audio after 30 s, including Whisper's own
 * padding.
 */
export const pieceMax = 25 * sampleRate

/**
 * Pauses shorter than this stay within a piece, because models are more accurate with context. If a
 * model reports no timestamps, each piece becomes a segment, and joined pieces would make the
 * segment too long.
 */
const breakMaxOf = (hasTimes: boolean): number => (hasTimes ? pauseMax : 0)

/** Minimum length of a pause that counts as long. */
const pauseMax = 1 * sampleRate

/** Minimum length that a piece must reach before it can end at a pause. */
const pieceMin = 5 * sampleRate

const length = ({ from, to }: SampleRange): number => to - from

/** Sorts the spans, clips them to the audio, joins overlapping spans and drops empty ones. */
const within = (
  speech: ReadonlyArray<SampleRange>,
  sampleCount: number
): ReadonlyArray<SampleRange> => {
  const union: Array<SampleRange> = []
  const clipped = speech
    .map(({ from, to }) => ({ from: Math.max(from, 0), to: Math.min(to, sampleCount) }))
    .filter((span) => length(span) > 0)
    .sort((a, b) => a.from - b.from)
  for (const span of clipped) {
    const last = union.at(-1)
    if (last === undefined || span.from > last.to) union.push(span)
    else union[union.length - 1] = { from: last.from, to: Math.max(last.to, span.to) }
  }
  return union
}

/** Divides a span into equal parts that are no longer than the maximum. */
const divideSpan = (span: SampleRange, lengthMax: number): ReadonlyArray<SampleRange> => {
  const count = Math.ceil(length(span) / lengthMax)
  const at = (index: number) => span.from + Math.floor((length(span) * index) / count)
  return Array.from({ length: count }, (_, index) => ({ from: at(index), to: at(index + 1) }))
}

/** Keeps only speech, and joins neighbouring ranges that fit into one piece. */
const joinSpeech = (
  speech: ReadonlyArray<SampleRange>,
  breakMax: number
): ReadonlyArray<SampleRange> => {
  const joined: Array<SampleRange> = []
  for (const span of speech) {
    const last = joined.at(-1)
    const isNear = last !== undefined && span.from - last.to <= breakMax
    if (last !== undefined && isNear && span.to - last.from <= pieceMax) {
      joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, span.to) }
    } else joined.push(span)
  }
  return joined.flatMap((span) => divideSpan(span, pieceMax))
}

/** Returns the time in the middle of each silence. */
const middles = (speech: ReadonlyArray<SampleRange>): ReadonlyArray<number> =>
  speech.flatMap((span, index) => {
    const next = speech[index + 1]
    return next === undefined || next.from <= span.to ? [] : [Math.floor((span.to + next.from) / 2)]
  })

/** Divides all audio into pieces, with cuts in silences. */
const coverAll = (
  speech: ReadonlyArray<SampleRange>,
  sampleCount: number
): ReadonlyArray<SampleRange> => {
  const cuts = middles(speech)
  const cutPieces: Array<SampleRange> = []
  for (let from = 0; from < sampleCount; ) {
    const latest = from + pieceMax
    const cut = cuts.findLast((each) => each > from + pieceMin && each <= latest) ?? latest
    const to = latest >= sampleCount ? sampleCount : cut
    cutPieces.push({ from, to })
    from = to
  }
  return cutPieces
}

/**
 * Divides all audio into pieces, with cuts where speech begins and where a pause begins, because a
 * model that reports no timestamps often omits speech after silence.
 */
const coverApart = (
  speech: ReadonlyArray<SampleRange>,
  sampleCount: number
): ReadonlyArray<SampleRange> => {
  const cuts = speech.flatMap(({ from, to }, index) => {
    const next = speech[index + 1]?.from ?? sampleCount
    return next - to > pauseMax ? [from, to] : [from]
  })
  return [...cuts, sampleCount]
    .map((to, index) => ({ from: cuts[index - 1] ?? 0, to }))
    .flatMap((span) => divideSpan(span, pieceMax))
}

/**
 * Returns a recording's pieces, or none if the recording has no speech. If silence is not removed,
 * the pieces cover all audio.
 */
export const cutPieces = (recording: {
  readonly sampleCount: number
  readonly speech: ReadonlyArray<SampleRange>
  readonly isVadFiltered: boolean
  /** Whether the model reports timestamps within a piece. */
  readonly hasTimes: boolean
}): ReadonlyArray<SampleRange> => {
  const { hasTimes, isVadFiltered, sampleCount } = recording
  const speech = within(recording.speech, sampleCount)
  if (speech.length === 0) return []
  if (isVadFiltered) return joinSpeech(speech, breakMaxOf(hasTimes))
  return hasTimes ? coverAll(speech, sampleCount) : coverApart(speech, sampleCount)
}

/** A time range in a piece, in milliseconds from the start of the piece. */
export type MillisRange = Pick<PieceSegment, "startMillis" | "endMillis">

/**
 * Maximum and minimum length of speech for a voiceprint. A longer range could contain two voices,
 * and a shorter range reveals little about the voice.
 */
const voiceMillisMax = 3_000
const voiceMillisMin = 500

/** Returns the ranges for voiceprints, which are parts of the segments that are long enough. */
export const toVoiceRanges = (segments: ReadonlyArray<MillisRange>): ReadonlyArray<MillisRange> =>
  segments
    .map(({ endMillis, startMillis }) => ({ from: startMillis, to: endMillis }))
    .filter((span) => length(span) >= voiceMillisMin)
    .flatMap((span) => divideSpan(span, voiceMillisMax))
    .map(({ from, to }) => ({ startMillis: from, endMillis: to }))

/**
 * Scales a vector to one byte per dimension. One byte is precise enough: the angular error is below
 * 1 %. If the largest number is zero or not finite, every byte becomes zero, which means that there
 * is no vector.
 */
export const toVectorBytes = (vector: Float32Array): Int8Array => {
  const largest = vector.reduce((most, each) => Math.max(most, Math.abs(each)), 0)
  return Int8Array.from(vector, (each) => Math.round((127 * each) / largest))
}
