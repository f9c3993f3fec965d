/** One recording of the table, and what a decoder makes of it. */
import type { Tracks } from "@verbatim/core/transcription"

/** A tone in Hz, and the second at which it begins. */
type ToneStart = readonly [hz: number, at: number]

/** A recording, and what a decoder gives. */
export interface Row {
  /** Also the name of its file. */
  readonly name: string
  /** How ffmpeg makes it, and before that its parts. The last run lacks the name of the file. */
  readonly runs: ReadonlyArray<ReadonlyArray<string>>
  /** What is done to its bytes, or makes them of other files. */
  readonly edit?: (bytes: Buffer, made: ReadonlyMap<string, Buffer>) => Buffer
  readonly tracks?: Tracks
  readonly seconds: number
  readonly tones: ReadonlyArray<ToneStart>
  /** Tones of tracks that are not heard. */
  readonly unheard?: ReadonlyArray<number>
  readonly warnings?: ReadonlyArray<object>
  /** How many speakers its tracks are. */
  readonly speakerCount?: number
}

/** A run of ffmpeg over one of the inputs. */
export const from = (input: string, ...words: ReadonlyArray<string>): Row["runs"] => [
  ["-i", `/${input}`, ...words]
]
