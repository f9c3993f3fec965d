/** Describes a test recording with known tones, and the expected decoding result. */
import type { Tracks } from "@verbatim/core/transcription"
import { high, low } from "./SoundInputs.ts"

/** A tone in Hz, with the start in seconds. */
type ToneStart = readonly [hz: number, at: number]

/** A recording, and the decoder's result. */
export interface Row {
  /** The row's name, which is also the file name. */
  readonly name: string
  /**
   * ffmpeg runs that create the recording's parts and then the recording. The last run's arguments
   * do not include the file name.
   */
  readonly runs: ReadonlyArray<ReadonlyArray<string>>
  /** Modifies the recording's bytes, or builds the bytes from other files. */
  readonly edit?: (bytes: Buffer, made: ReadonlyMap<string, Buffer>) => Buffer
  readonly tracks?: Tracks
  readonly seconds: number
  readonly tones: ReadonlyArray<ToneStart>
  /** Tones in the omitted tracks. */
  readonly absent?: ReadonlyArray<number>
  readonly warnings?: ReadonlyArray<object>
  /** The number of speakers in the recording's tracks. */
  readonly speakerCount?: number
}

/**
 * Recordings of four and six seconds, with a low tone near the beginning and a high tone near the
 * end.
 */
export const plain = {
  seconds: 4,
  tones: [
    [low, 0.5],
    [high, 3]
  ]
} as const
export const long = {
  seconds: 6,
  tones: [
    [low, 0.5],
    [high, 5]
  ]
} as const

/** An ffmpeg run that encodes a raw input. */
export const from = (input: string, ...words: ReadonlyArray<string>): Row["runs"] => [
  ["-i", `/${input}`, ...words]
]
