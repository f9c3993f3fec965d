/**
 * Port: a speech recognition engine.
 */

import { Context, type Effect, Schema } from "effect"
import { Failure } from "../domain/attempt/Failure.ts"
import { refusal } from "../domain/schema/Refusal.ts"
import type { DecodedAudio } from "../domain/transcription/DecodedAudio.ts"
import type { Language } from "../domain/transcription/Language.ts"
import type { Segment } from "../domain/transcription/Transcript.ts"
import { describe } from "./Reason.ts"

const { EngineFailed, EngineRefused, EngineUnavailable, LanguageUnsupported, StorageFailed } =
  Failure.cases

/** Why audio could not be transcribed. */
export class TranscriberError extends refusal<TranscriberError>()("TranscriberError", {
  fields: {
    reason: Schema.Union([
      LanguageUnsupported,
      EngineUnavailable,
      EngineFailed,
      EngineRefused,
      StorageFailed
    ])
  },
  sentence: ({ reason }) => describe(reason)
}) {}

/** Whether an engine can work now. */
export const Readiness = Schema.TaggedUnion({
  Ready: { engine: Schema.String },
  /** It is being prepared, for example downloaded: jobs wait for it. */
  Preparing: { sentence: Schema.String },
  /** It does not become ready by itself. The sentence says what to do. */
  Unavailable: { sentence: Schema.String }
})
export type Readiness = typeof Readiness.Type

/** A request to recognise speech. */
export interface Recognition {
  readonly audio: DecodedAudio
  /** Null means that the engine detects it. */
  readonly language: Language | null
  /** A hint about words and spelling; engines that take none ignore it. */
  readonly initialPrompt: string | null
  /** Names and terms to expect, the most important first. Undefined if none are known. */
  readonly keywords?: ReadonlyArray<string>
  /** Whether silence is removed before recognition, if the engine can. */
  readonly isVadFiltered: boolean
  /** Whether speakers are told apart, if the engine can; otherwise all speech is `speaker_0`. */
  readonly isDiarized: boolean
  /** The number of voices. Undefined if unknown. */
  readonly speakerCount?: number
  /**
   * Called by engines that report progress, with the fraction done: from 0 to 1, never decreasing.
   */
  readonly onProgress?: (fraction: number) => Effect.Effect<void>
}

/** The result of a recognition. */
export interface Recognised {
  /** The engine and its model, for the history. */
  readonly engine: string
  /** The requested language, or the detected one: an ISO 639 code, accepted or not, or `und`. */
  readonly language: string
  /**
   * In order of time, within the audio; empty when nothing was said. An engine that splits words,
   * or knows where its language has a space, sets `hasSpaceBefore`.
   */
  readonly segments: ReadonlyArray<Segment>
  /** Whether the engine used the keywords, as many as it takes. Undefined if it takes none. */
  readonly areKeywordsUsed?: boolean
  /** Whether the engine used the number of voices. Undefined if it takes no number. */
  readonly isSpeakerCountUsed?: boolean
}

export class Transcriber extends Context.Service<
  Transcriber,
  {
    /** Whether the engine is ready. Cheap enough to read four times a second. */
    readonly readiness: Effect.Effect<Readiness>
    /**
     * Recognises speech. A requested language that the engine does not support is
     * `LanguageUnsupported`; a detected language is never a failure. Interruption stops the engine
     * at once; a repeat starts from the beginning.
     */
    readonly transcribe: (recognition: Recognition) => Effect.Effect<Recognised, TranscriberError>
  }
>()("@verbatim/core/ports/Transcriber") {}
