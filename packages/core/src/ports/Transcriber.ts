/** Port: an engine that recognises speech. */

import { Context, Effect, Schema } from "effect"
import { Failure } from "../domain/attempt/Failure.ts"
import { describeReason, refusal } from "../domain/schema/Refusal.ts"
import type { DecodedAudio } from "../domain/transcription/DecodedAudio.ts"
import type { Language } from "../domain/transcription/Language.ts"
import type { PieceResult } from "../domain/transcription/Piece.ts"
import type { Segment } from "../domain/transcription/Transcript.ts"

const { EngineFailed, EngineRefused, EngineUnavailable, LanguageUnsupported, StorageFailed } =
  Failure.cases

/** The reason why audio could not be transcribed. */
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
  sentence: describeReason
}) {}

/** Whether an engine is ready for work. */
export const Readiness = Schema.TaggedUnion({
  Ready: { engine: Schema.String },
  /**
   * The engine is being prepared (for example, a model is being downloaded), and jobs wait for it.
   */
  Preparing: { sentence: Schema.String },
  /** The engine cannot become ready without the operator. The sentence says what to do. */
  Unavailable: { sentence: Schema.String }
})
export type Readiness = typeof Readiness.Type

/** A range of audio samples; `to` is exclusive. */
export interface SampleRange {
  readonly from: number
  readonly to: number
}

/** A plan for recognising a recording in pieces. */
export interface PiecePlan {
  /**
   * The pieces in order, each with at most 30 s of speech. Their boundaries depend only on the
   * audio and the settings.
   */
  readonly cut: ReadonlyArray<SampleRange>
  /**
   * Everything that determines a piece's result, apart from its audio: engine, model, language and
   * settings.
   */
  readonly settings: string
  /**
   * Whether the result of a piece also depends on the pieces before it. Such pieces are recognised
   * in order, and their results are reused only within one job.
   */
  readonly isInContext?: boolean
  /** Maximum number of pieces that are recognised at the same time, if the engine has a limit. */
  readonly atOnce?: number
  /** Receives the recognised fraction: from 0 to 1, never decreasing. */
  readonly onProgress?: (fraction: number) => Effect.Effect<void>
  /**
   * Recognises one piece. It is given the results of the pieces before it, if the engine uses them
   * as context.
   */
  readonly recognise: (
    piece: SampleRange,
    before: ReadonlyArray<PieceResult>
  ) => Effect.Effect<PieceResult, TranscriberError>
}

/**
 * Recognises the pieces of a plan, and returns their results in order. A piece with a stored result
 * is not recognised again.
 */
export type RecognisePieces = (
  plan: PiecePlan
) => Effect.Effect<ReadonlyArray<PieceResult>, TranscriberError>

/**
 * Finds where to cut a recording into pieces, or returns the cut that an earlier attempt found in
 * the same audio with the same settings.
 */
export type CutOnce = <E>(
  settings: string,
  cut: Effect.Effect<ReadonlyArray<SampleRange>, E>
) => Effect.Effect<ReadonlyArray<SampleRange>, E | TranscriberError>

/** Finds the cut again in each attempt. */
export const cutUnstored: CutOnce = (_, cut) => cut

/**
 * Recognises the pieces of a recording without storing them. After a failure, no new piece begins,
 * but running ones are finished, because the engine charges for them anyway.
 */
export const recogniseUnstored: RecognisePieces = ({
  atOnce = 1,
  cut,
  isInContext = false,
  onProgress = () => Effect.void,
  recognise
}) =>
  Effect.gen(function* () {
    const results: Array<PieceResult> = []
    let failure: TranscriberError | undefined
    let done = 0
    const recogniseOne = Effect.fnUntraced(
      function* (piece: SampleRange, index: number) {
        if (failure !== undefined) return
        results[index] = yield* recognise(piece, results)
        done += 1
        yield* onProgress(done / cut.length)
      },
      Effect.catch((error) =>
        Effect.sync(() => {
          failure ??= error
        })
      )
    )
    yield* Effect.forEach(cut, recogniseOne, {
      concurrency: isInContext ? 1 : atOnce,
      discard: true
    })
    return failure === undefined ? results : yield* failure
  })

/** A request to recognise the speech in a recording. */
export interface Recognition {
  readonly audio: DecodedAudio
  /** The language; null if the engine should detect it. */
  readonly language: Language | null
  /** A hint about words and spelling, which some engines ignore. */
  readonly initialPrompt: string | null
  /** Names and terms to expect, the most important first; undefined if there are none. */
  readonly keywords?: ReadonlyArray<string>
  /** Whether to remove silence before recognition, if the engine supports it. */
  readonly isVadFiltered: boolean
  /**
   * Whether to tell speakers apart, if the engine supports it; otherwise all speech is `speaker_0`.
   */
  readonly isDiarized: boolean
  /** The number of speakers, or its limits; undefined if unknown. */
  readonly speakerCount?: number
  readonly speakerCountMin?: number
  readonly speakerCountMax?: number
  /**
   * A function for engines that recognise a recording in pieces. An engine that accepts only whole
   * recordings ignores it, so if an attempt is lost, the next one starts over. Default:
   * `recogniseUnstored`.
   */
  readonly recognisePieces?: RecognisePieces
  /**
   * A function that finds the cut once for all attempts, for engines that need a long time to find
   * it. Default: `cutUnstored`.
   */
  readonly cutOnce?: CutOnce
  /**
   * Receives the recognised fraction from engines that report progress: from 0 to 1, never
   * decreasing.
   */
  readonly onProgress?: (fraction: number) => Effect.Effect<void>
}

/** The result of recognising a recording. */
export interface Recognised {
  /** The names of the engine and its model, for the history. */
  readonly engine: string
  /** The requested language, or the detected one: an ISO 639 code, accepted or not, or `und`. */
  readonly language: string
  /**
   * The segments in chronological order, within the audio; empty if nothing was said. An engine
   * that splits words, or knows where its language has a space, sets `hasSpaceBefore`.
   */
  readonly segments: ReadonlyArray<Segment>
  /**
   * Whether the engine used the keywords, up to the number that it accepts; undefined if it accepts
   * none.
   */
  readonly areKeywordsUsed?: boolean
  /**
   * Whether the engine used the number of speakers or one of its limits; undefined if it accepts
   * neither.
   */
  readonly isSpeakerCountUsed?: boolean
  /**
   * Whether the engine is unable to tell speakers apart. A request for speakers then gets a
   * warning.
   */
  readonly areSpeakersUnknown?: boolean
}

export class Transcriber extends Context.Service<
  Transcriber,
  {
    /** Whether the engine is ready. This must be cheap enough to be called four times a second. */
    readonly readiness: Effect.Effect<Readiness>
    /**
     * Recognises speech. Fails with `LanguageUnsupported` if the engine does not support the
     * requested language; a detected language is never a failure. Interruption stops the engine at
     * once.
     */
    readonly transcribe: (recognition: Recognition) => Effect.Effect<Recognised, TranscriberError>
  }
>()("@verbatim/core/ports/Transcriber") {}
