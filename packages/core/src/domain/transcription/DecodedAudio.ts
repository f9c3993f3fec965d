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
  /**
   * A file with the same sound in two channels, interleaved, at `balanceRate`: enough to tell which
   * side is louder. Absent where the decoder does not write it.
   */
  readonly balancePath?: string
  /** How loud it is over its time. Absent where the decoder does not tell. */
  readonly peaks?: Peaks
  /** What was not heard, or could not be. Absent where there is nothing to say. */
  readonly warnings?: ReadonlyArray<Warning>
}

/** Samples per second and channel of the balance: voices are loudest below 1 kHz. */
export const balanceRate = 2_000

/** Its length in whole milliseconds. */
export const durationMillis = (audio: DecodedAudio): number =>
  Math.round((audio.sampleCount * 1_000) / sampleRate)
