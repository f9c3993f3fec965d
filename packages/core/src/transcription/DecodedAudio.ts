/**
 * Audio as every engine takes it: 16 kHz, one channel, signed 16 bit little endian, without a
 * header.
 */

/** Samples per second of decoded audio. */
export const sampleRate = 16_000

/** A file of decoded audio. */
export interface DecodedAudio {
  /** An absolute path, never shown to a caller. */
  readonly path: string
  /** At least 1. */
  readonly sampleCount: number
}

/** Its length in whole milliseconds. */
export const durationMillis = (audio: DecodedAudio): number =>
  Math.round((audio.sampleCount * 1_000) / sampleRate)
