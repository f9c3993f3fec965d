/** Describes a test recording: its tones, and the result of decoding it. */
import type { Tracks } from "@verbatim/core/transcription"
import { high, low } from "./SoundInputs.ts"

/** A tone in Hz, and its start in seconds. */
type ToneStart = readonly [hz: number, at: number]

/** A recording, and the result that the decoder must return. */
export interface Row {
  /** The name of the row and of the file. */
  readonly name: string
  /**
   * The arguments of the ffmpeg runs that create the recording's parts and then the recording. The
   * last run's arguments omit the file name.
   */
  readonly runs: ReadonlyArray<ReadonlyArray<string>>
  /** Changes the bytes of the recording, or builds them from other files. */
  readonly edit?: (bytes: Buffer, made: ReadonlyMap<string, Buffer>) => Buffer
  readonly tracks?: Tracks
  readonly seconds: number
  readonly tones: ReadonlyArray<ToneStart>
  /** Tones in the tracks that the decoder omits. */
  readonly absent?: ReadonlyArray<number>
  readonly warnings?: ReadonlyArray<object>
  /** The number of speakers that the tracks of the recording have. */
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

/** Encodes a raw input with one ffmpeg run. */
export const from = (input: string, ...words: ReadonlyArray<string>): Row["runs"] => [
  ["-i", `/${input}`, ...words]
]
