/**
 * Audio as every engine takes it: 16 kHz, one channel, signed 16 bit little endian, without a
 * header.
 */

import type { Peaks } from "./Peaks.ts"
import type { Warning } from "./Warning.ts"

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
