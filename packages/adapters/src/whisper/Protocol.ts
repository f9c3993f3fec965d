/**
 * Messages between the server and its child: tasks in one direction, progress and outcomes in the
 * other. Messages are plain data, and the audio is a file that both can read.
 */

/** A range of samples of the decoded audio. */
export interface Span {
  readonly start: number
  /** The index after the last sample. */
  readonly end: number
}

/** The files of a speech model by role. */
export interface SpeechFiles {
  readonly kind: "whisper" | "transducer"
  readonly files: Readonly<Record<string, string>>
}

/** A task for a child. */
export interface Task {
  /** The number of the task within the child. */
  readonly number: number
  /** The audio file: 16 kHz, one channel, signed 16-bit little endian, no header. */
  readonly audioPath: string
  readonly sampleCount: number
  readonly model: SpeechFiles
  readonly threads: number
  /** The language, or null to detect it for each piece. */
  readonly language: string | null
  readonly isVadFiltered: boolean
  /** The model that finds speech. If null, all audio counts as speech. */
  readonly vadModel: string | null
  /** The models for diarization. If null, the child does not diarize. */
  readonly diarization: {
    readonly segmentation: string
    readonly embedding: string
    /** The number of speakers, or null to detect it. */
    readonly speakerCount: number | null
  } | null
}

/** One recognised word, in milliseconds of the whole audio. */
export interface SpokenWord {
  readonly startMillis: number
  readonly endMillis: number
  readonly text: string
}

/** Recognised text, in milliseconds of the whole audio. */
export interface SpokenSegment extends SpokenWord {
  /** Whether a space precedes the segment. Missing if unknown. */
  readonly hasSpaceBefore?: boolean
  readonly words?: ReadonlyArray<SpokenWord>
}

/** A speaker turn, in milliseconds. */
export interface Turn {
  readonly startMillis: number
  readonly endMillis: number
  readonly speaker: number
}

/** A message from the child. Messages about a task have its number. */
export type Answer =
  /** The child has loaded its libraries. */
  | { readonly _tag: "Started" }
  | { readonly _tag: "Answered"; readonly number: number; readonly answer: TaskAnswer }

/** A message about a task. */
export type TaskAnswer =
  | { readonly _tag: "Progress"; readonly fraction: number }
  | {
      readonly _tag: "Done"
      /** The language, or null if the model does not report it. */
      readonly language: string | null
      readonly spoken: ReadonlyArray<SpokenSegment>
      /** The speaker turns, or null if there was no diarization. */
      readonly turns: ReadonlyArray<Turn> | null
    }
  | { readonly _tag: "Failed"; readonly detail: string }

/** The sample rate of all audio in this folder, in hertz. */
export const sampleRate = 16_000
