/** What decodes: a program or a thread, for one track at a time. */
import { AudioDecoderError } from "@verbatim/core/ports"
import type { LocalMedia } from "@verbatim/core/transcription"
import type { Duration, Effect } from "effect"
import type { Selection } from "./FfmpegArguments.ts"
import type { Reason, Run } from "./FfmpegOutcome.ts"

/** One decoding. */
export interface Task {
  readonly media: LocalMedia
  readonly selection: Selection
  /** An empty private folder for whatever the engine needs. */
  readonly folder: string
  /** A word that the media cannot know. It is in the names of outputs (`Description.ts`). */
  readonly mark: string
  /** The descriptor of the open file that takes the audio. */
  readonly output: number
  /** Where that file is: not every runtime gives a thread the descriptors of another. */
  readonly outputPath: string
  /** The engine stops when it has written more. */
  readonly byteMax: number
  readonly timeout: Duration.Duration
}

/** Decodes, and ends at once when it is interrupted. */
export type Engine = (task: Task) => Effect.Effect<Run, AudioDecoderError>

/** The file in its folder that an engine writes all channels to, if it does. */
export const balanceOf = (mark: string): string => `${mark}.wav`

/** The file in its folder that an engine writes the times of packets to, if it does. */
export const indexOf = (mark: string): string => `${mark}.txt`

/** More than the extra sample that shows audio to be too long. */
const fileByteSlack = 1_048_576

/** The most that an engine may write into one file, if it does not stop by itself. */
export const fileByteMaxOf = (byteMax: number): number => byteMax + fileByteSlack

/** The error of the port. */
export const makeError = (reason: Reason): AudioDecoderError => new AudioDecoderError({ reason })
