/**
 * What the server and its child say to each other: one task down, progress and one outcome up. All
 * of it is plain data, and the audio is a file that both can read.
 */

/** Samples of the decoded audio, from its beginning. */
export interface Span {
  readonly start: number
  /** Behind the last one. */
  readonly end: number
}

/** The files of a model that recognises speech, by their roles. */
export interface SpeechFiles {
  readonly kind: "whisper" | "transducer"
  readonly files: Readonly<Record<string, string>>
}

/** The whole task of a child. */
export interface Task {
  /** Its number in the child. */
  readonly number: number
  /** 16 kHz, one channel, signed 16 bit little endian, without a header. */
  readonly audioPath: string
  readonly sampleCount: number
  readonly model: SpeechFiles
  readonly threads: number
  /** None means that it is detected, for each piece. */
  readonly language: string | null
  readonly isVadFiltered: boolean
  /** Finds speech. Without it, all of it is taken for speech. */
  readonly vadModel: string | null
  /** Without it, speakers are not told apart here. */
  readonly diarization: {
    readonly segmentation: string
    readonly embedding: string
    /** Null: as many as there are. */
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
  /** Whether a space stands before it; absent where that cannot be told. */
  readonly hasSpaceBefore?: boolean
  readonly words?: ReadonlyArray<SpokenWord>
}

/** A stretch of one voice, in milliseconds. */
export interface Turn {
  readonly startMillis: number
  readonly endMillis: number
  readonly speaker: number
}

/** What a child says: of a task, with its number. */
export type Answer =
  /** Its libraries are loaded. */
  | { readonly _tag: "Started" }
  | { readonly _tag: "Answered"; readonly number: number; readonly answer: TaskAnswer }

/** What it says of a task. */
export type TaskAnswer =
  | { readonly _tag: "Progress"; readonly fraction: number }
  | {
      readonly _tag: "Done"
      /** None where the model does not say. */
      readonly language: string | null
      readonly spoken: ReadonlyArray<SpokenSegment>
      /** None when speakers were not told apart. */
      readonly turns: ReadonlyArray<Turn> | null
    }
  | { readonly _tag: "Failed"; readonly detail: string }

/** Samples per second of all audio here. */
export const sampleRate = 16_000
