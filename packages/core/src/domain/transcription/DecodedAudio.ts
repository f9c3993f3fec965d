/**
 * Audio as every engine takes it: 16 kHz, one channel, signed 16 bit little endian, without a
 * header.
 */

import { Schema } from "effect"
import { withDescription } from "../schema/Shape.ts"
import type { Warning } from "./Warning.ts"

// How loud a recording is over its time: what a player draws. Folded in one pass over the decoded
// samples, in the memory of the result alone, however the samples arrive.

/**
 * Most pairs: a pair for each bar of the widest screens, three points a bar, and about 7 kB of
 * JSON for a recording of any length.
 */
export const pairMax = 1_000

/** Fewest samples to a pair: 20 ms, as a second of speech has no more to show. */
const intervalMin = 320

/** Steps of a sample of 16 bits in one of 8. */
const sampleStep = 256

/** A sample of 8 bits. */
const Peak = Schema.Int.check(Schema.isBetween({ minimum: -128, maximum: 127 }))

/** The peaks of a recording. */
export const Peaks = Schema.Struct({
  /** Of the whole recording. */
  sampleCount: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  /** Samples to a pair; the last pair may have fewer. */
  interval: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  /** The least and the greatest sample of each interval in turn, of 8 bits, cut towards zero. */
  values: Schema.Array(Peak).check(Schema.isMaxLength(2 * pairMax))
})
export type Peaks = typeof Peaks.Type

/** Takes samples of 16 bits in their order, in stretches of any length. */
export interface PeakFold {
  readonly add: (samples: Int16Array) => void
  readonly peaks: () => Peaks
}

/** Folds a recording whose number of samples is known; samples after those do not count. */
export const makePeakFold = (sampleCount: number): PeakFold => {
  const interval = Math.max(intervalMin, Math.ceil(sampleCount / pairMax))
  const values = new Int8Array(2 * Math.ceil(sampleCount / interval))
  let [taken, least, most] = [0, 0, 0]
  const add = (samples: Int16Array): void => {
    const end = Math.min(samples.length, sampleCount - taken)
    for (let at = 0; at < end; ) {
      const place = taken % interval
      const stop = Math.min(end, at + interval - place)
      const pair = 2 * Math.floor(taken / interval)
      if (place === 0) [least, most] = [samples[at] ?? 0, samples[at] ?? 0]
      taken += stop - at
      for (; at < stop; at += 1) {
        const sample = samples[at] ?? 0
        if (sample < least) least = sample
        if (sample > most) most = sample
      }
      values[pair] = Math.trunc(least / sampleStep)
      values[pair + 1] = Math.trunc(most / sampleStep)
    }
  }
  return { add, peaks: () => ({ sampleCount, interval, values: [...values] }) }
}

/** Samples per second of decoded audio. */
export const sampleRate = 16_000

/** A file of decoded audio. */
export interface DecodedAudio {
  /** An absolute path, never shown to a caller. */
  readonly path: string
  /** At least 1. */
  readonly sampleCount: number
  /** How loud its sides are. Absent where they say nothing about who speaks. */
  readonly balance?: Balance
  /** How loud it is over its time. Absent where the decoder does not tell. */
  readonly peaks?: Peaks
  /** What was not heard, or could not be. Absent where there is nothing to say. */
  readonly warnings?: ReadonlyArray<Warning>
}

/** The length of a frame of a balance. */
export const balanceFrameMillis = 100

/** How loud each side of a recording is, frame by frame: enough to tell who speaks. */
export interface Balance {
  /** Sides are channels, or the sound tracks of a file. */
  readonly sideCount: number
  /** Mean squares of samples of 16 bit: all sides in the first frame, then in the next. */
  readonly powers: Float32Array
  /** The caller says that each side is one speaker. Otherwise that is for the sound to tell. */
  readonly isSpeakerPerSide: boolean
}

/** Its length in whole milliseconds. */
export const durationMillis = (audio: DecodedAudio): number =>
  Math.round((audio.sampleCount * 1_000) / sampleRate)

// Peaks as the wire shows them.

/** The peaks as the wire shows them. */
export const PeaksView = Schema.Struct({
  duration: withDescription(Schema.Finite, "Seconds of the whole recording."),
  interval: withDescription(Schema.Finite, "Seconds to a pair; the last one may have less."),
  peaks: withDescription(
    Schema.Array(Peak).check(Schema.isMaxLength(2 * pairMax)),
    "The least and the greatest sample of each interval in turn, from -128 to 127."
  )
})
export type PeaksView = typeof PeaksView.Type

/** Shows peaks in seconds. */
export const toPeaksView = ({ interval, sampleCount, values }: Peaks): PeaksView => ({
  duration: sampleCount / sampleRate,
  interval: interval / sampleRate,
  peaks: values
})
