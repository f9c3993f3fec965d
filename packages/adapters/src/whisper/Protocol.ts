/**
 * Defines the messages between the server and its child: requests in one direction, outcomes in the
 * other. Messages are plain data, and the audio is a file that both processes can read.
 */
import type { SampleRange } from "@verbatim/core/ports"
import type { PieceResult } from "@verbatim/core/transcription"
import type { SpeechModel } from "./Model.ts"

/** A speech model's files, keyed by role. */
export interface SpeechFiles {
  readonly kind: SpeechModel["kind"]
  readonly files: Readonly<Record<string, string>>
}

/** The fields and the result for each kind of request. */
export interface Work {
  /** Finds the ranges of a recording that contain speech. */
  readonly Detect: {
    readonly given: { readonly vadModel: string; readonly sampleCount: number }
    readonly result: ReadonlyArray<SampleRange>
  }
  /** Recognises the speech in a piece. */
  readonly Recognise: {
    readonly given: {
      readonly model: SpeechFiles
      readonly threads: number
      /** The language, or null to detect it. */
      readonly language: string | null
      /** The keywords, which only transducers use. */
      readonly keywords: ReadonlyArray<string>
      readonly piece: SampleRange
      readonly pieceMillis: number
      /** The voiceprint model's file, or null if no voiceprints are needed. */
      readonly voiceModel: string | null
    }
    readonly result: PieceResult
  }
}

/** The fields of a request, without its kind. */
export type Given<Kind extends keyof Work> = Work[Kind]["given"] & {
  /** The audio file: 16 kHz, one channel, signed 16-bit little endian, no header. */
  readonly audioPath: string
}

/** A request to a child. */
export type Request<Kind extends keyof Work = keyof Work> = {
  readonly [Each in Kind]: Given<Each> & {
    readonly _tag: Each
    /** The request's number, unique within the child. */
    readonly number: number
  }
}[Kind]

/** A message from the child. Messages about a request have the request's number. */
export type Answer =
  /** The child has loaded all libraries. */
  | { readonly _tag: "Started" }
  | { readonly _tag: "Answered"; readonly number: number; readonly answer: RequestAnswer }

/** A message about a request. */
export type RequestAnswer =
  /** A sign that the child is still working. */
  | { readonly _tag: "Working" }
  | { readonly _tag: "Done"; readonly result: Work[keyof Work]["result"] }
  | { readonly _tag: "Failed"; readonly detail: string }

/** Sample rate, in hertz, of the audio that the child reads. */
export const sampleRate = 16_000
