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

/** Why audio did not become text. */
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
  /** It is on its way, for example being downloaded: jobs wait for it. */
  Preparing: { sentence: Schema.String },
  /** It will not get there by itself. The sentence says what to do. */
  Unavailable: { sentence: Schema.String }
})
export type Readiness = typeof Readiness.Type

/** What is to be recognised, and how. */
export interface Recognition {
  readonly audio: DecodedAudio
  /** None means that it is to be detected. */
  readonly language: Language | null
  /** A hint about words and spelling; engines that take none ignore it. */
  readonly initialPrompt: string | null
  /** Names and terms to expect, the most important first. Left out: none are known. */
  readonly keywords?: ReadonlyArray<string>
  /** Whether silence is removed before recognition, where the engine can. */
  readonly isVadFiltered: boolean
  /** Whether speakers are told apart, where the engine can; otherwise all is `speaker_0`. */
  readonly isDiarized: boolean
  /** How many voices there are. Left out: nobody knows. */
  readonly speakerCount?: number
  /** Engines that know call this with how much is done, from 0 to 1 and never less than before. */
  readonly onProgress?: (fraction: number) => Effect.Effect<void>
}

/** What was recognised. */
export interface Recognised {
  /** The engine and its model, for the history. */
  readonly engine: string
  /** What was asked for, else what was detected: a code of ISO 639, accepted or not, or `und`. */
  readonly language: string
  /**
   * In order of time, within the audio; empty when nothing was said. An engine that cuts words in
   * two, or knows where its language has a space, says so with `hasSpaceBefore`.
   */
  readonly segments: ReadonlyArray<Segment>
  /** Whether the engine was told the keywords, as many as it takes. Left out: it takes none. */
  readonly areKeywordsUsed?: boolean
  /** Whether the engine was told how many voices there are. Left out: it takes no number. */
  readonly isSpeakerCountUsed?: boolean
}

export class Transcriber extends Context.Service<
  Transcriber,
  {
    /** Cheap enough to be asked four times a second. */
    readonly readiness: Effect.Effect<Readiness>
    /**
     * Recognises speech. A language that was asked for and that the engine cannot do is
     * `LanguageUnsupported`; one that it only detects is never a failure. Interruption stops the
     * engine at once; a repeat starts from the beginning.
     */
    readonly transcribe: (recognition: Recognition) => Effect.Effect<Recognised, TranscriberError>
  }
>()("@verbatim/core/ports/Transcriber") {}
