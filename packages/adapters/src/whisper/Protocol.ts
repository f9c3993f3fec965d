/**
 * Messages between the server and its child: tasks in one direction, progress and outcomes in the
 * other. Messages are plain data, and the audio is a file that both can read.
 */

/** A range of samples of the decoded audio. */
export interface Span {
  readonly start: number
  /** After the last sample. */
  readonly end: number
}

/** The files of a speech model by role. */
export interface SpeechFiles {
  readonly kind: "whisper" | "transducer"
  readonly files: Readonly<Record<string, string>>
}

/** A task for a child. */
export interface Task {
  /** Its number within the child. */
  readonly number: number
  /** 16 kHz, one channel, signed 16-bit little endian, without a header. */
  readonly audioPath: string
  readonly sampleCount: number
  readonly model: SpeechFiles
  readonly threads: number
  /** If null, it is detected for each piece. */
  readonly language: string | null
  readonly isVadFiltered: boolean
  /** Finds speech. If null, all audio counts as speech. */
  readonly vadModel: string | null
  /** If null, the child does not diarize. */
  readonly diarization: {
    readonly segmentation: string
    readonly embedding: string
    /** If null, as many as are found. */
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
  /** Whether a space precedes it; missing if unknown. */
  readonly hasSpaceBefore?: boolean
  readonly words?: ReadonlyArray<SpokenWord>
}

/** A speaker turn, in milliseconds. */
export interface Turn {
  readonly startMillis: number
  readonly endMillis: number
  readonly speaker: number
}

/** A message from the child; those about a task have its number. */
export type Answer =
  /** Its libraries are loaded. */
  | { readonly _tag: "Started" }
  | { readonly _tag: "Answered"; readonly number: number; readonly answer: TaskAnswer }

/** A message about a task. */
export type TaskAnswer =
  | { readonly _tag: "Progress"; readonly fraction: number }
  | {
      readonly _tag: "Done"
      /** Null if the model does not report it. */
      readonly language: string | null
      readonly spoken: ReadonlyArray<SpokenSegment>
      /** Null without diarization. */
      readonly turns: ReadonlyArray<Turn> | null
    }
  | { readonly _tag: "Failed"; readonly detail: string }

/** Samples per second of all audio here. */
export const sampleRate = 16_000
