/**
 * Decoded audio has the format that all engines accept: 16 kHz, one channel, 16-bit signed
 * little-endian samples, no header.
 */

import { Schema } from "effect"
import { withDescription } from "../schema/ObjectSchemas.ts"
import type { Warning } from "./Warning.ts"

// Players draw the loudness of a recording over time from its peaks. Computing them takes one pass
// over the samples, and no memory except for the result.

/**
 * Maximum number of pairs of peaks: enough for bars of three points on the widest screens. The JSON
 * is about 7 kB, however long the recording is.
 */
export const pairMax = 1_000

/**
 * Minimum number of samples per pair of peaks: 20 ms, because shorter intervals show no more detail
 * in speech.
 */
const intervalMin = 320

/** Number of 16-bit steps in one 8-bit step. */
const sampleStep = 256

/** A peak: a minimum or a maximum, as an 8-bit sample. */
const Peak = Schema.Int.check(Schema.isBetween({ minimum: -128, maximum: 127 }))

/** The peaks of a recording. */
export const Peaks = Schema.Struct({
  /** Number of samples in the whole recording. */
  sampleCount: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  /** Number of samples per pair of peaks; the last pair may have fewer. */
  interval: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  /** The minimum and maximum in each interval, in order, as 8-bit samples rounded towards zero. */
  values: Schema.Array(Peak).check(Schema.isMaxLength(2 * pairMax))
})
export type Peaks = typeof Peaks.Type

/**
 * Creates a function that computes the peaks of a recording with a known number of samples; further
 * samples are ignored. The 16-bit samples are added in order, in chunks of any length.
 */
export const makePeakFold = (sampleCount: number) => {
  const interval = Math.max(intervalMin, Math.ceil(sampleCount / pairMax))
  const values = new Int8Array(2 * Math.ceil(sampleCount / interval))
  let [taken, least, most] = [0, 0, 0]
  const add = (samples: Int16Array): void => {
    const end = Math.min(samples.length, sampleCount - taken)
    for (let at = 0; at < end; ) {
      const offset = taken % interval
      const stop = Math.min(end, at + interval - offset)
      const pair = 2 * Math.floor(taken / interval)
      if (offset === 0) [least, most] = [samples[at] ?? 0, samples[at] ?? 0]
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
  return { add, peaks: (): Peaks => ({ sampleCount, interval, values: [...values] }) }
}

/** Samples per second of decoded audio. */
export const sampleRate = 16_000

/** A file with decoded audio, and what is known about its content. */
export interface DecodedAudio {
  /** An absolute path, never shown to a caller. */
  readonly path: string
  /** Number of samples, at least 1. */
  readonly sampleCount: number
  /** The loudness of each side of the recording. Missing if it does not show who is speaking. */
  readonly balance?: Balance
  /** The loudness over time. Missing if the decoder does not report it. */
  readonly peaks?: Peaks
  /** The parts that were not or could not be transcribed. Missing if there are none. */
  readonly warnings?: ReadonlyArray<Warning>
}

/** Length of the frames in which each side's loudness is measured. */
export const balanceFrameMillis = 100

/**
 * The loudness of each side of a recording, frame by frame, which is enough to tell who is
 * speaking.
 */
export interface Balance {
  /** Number of sides: the channels or the audio tracks of a file. */
  readonly sideCount: number
  /**
   * The mean squares of the 16-bit samples: first all sides of the first frame, then all sides of
   * the next one.
   */
  readonly powers: Float32Array
  /**
   * Whether the caller stated that each side is one speaker. Otherwise, the loudness must show it.
   */
  readonly isSpeakerPerSide: boolean
}

/** Returns a sample's timestamp in whole milliseconds. */
export const millisAt = (sample: number): number => Math.round((sample * 1_000) / sampleRate)

/** Returns the length of the audio in whole milliseconds. */
export const durationMillis = ({ sampleCount }: DecodedAudio): number => millisAt(sampleCount)

/** The peaks of a recording, as responses show them. */
export const PeaksView = Schema.Struct({
  duration: withDescription(Schema.Finite, "Length of the whole recording in seconds."),
  interval: withDescription(Schema.Finite, "Seconds per pair; the last pair may be shorter."),
  peaks: withDescription(
    Schema.Array(Peak).check(Schema.isMaxLength(2 * pairMax)),
    "The minimum and the maximum sample of each interval in turn, from -128 to 127."
  )
})
export type PeaksView = typeof PeaksView.Type

/** Converts peaks to their response form, in seconds. */
export const toPeaksView = ({ interval, sampleCount, values }: Peaks): PeaksView => ({
  duration: sampleCount / sampleRate,
  interval: interval / sampleRate,
  peaks: values
})
