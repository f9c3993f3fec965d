/**
 * Transcripts as they stand: what was recognised, read through what people corrected. Whoever
 * shows, sends or sums up a transcript reads it here.
 *
 * A reading is of one version of the corrections, from its first part to its last. They are read
 * before the transcript: it goes together with them, so that without them it is never shown where
 * it had some.
 */
import { Context, Effect, Layer, Option } from "effect"
import type { JobId } from "../../domain/attempt/Attempt.ts"
import { makeCorrector } from "../../domain/correction/CorrectedTranscript.ts"
import { noCorrections } from "../../domain/correction/Overlay.ts"
import type {
  Transcript,
  TranscriptMark,
  TranscriptPart
} from "../../domain/transcription/Transcript.ts"
import { CorrectionStore, type CorrectionStoreError } from "../../ports/CorrectionStore.ts"
import { JobStore, JobStoreError } from "../../ports/JobStore.ts"

/** A place in a transcript, and how many segments stand before it. */
export interface CountedCursor extends TranscriptMark {
  readonly count: number
}

/** A part as it stands, and how many segments there are up to its end. */
export interface CountedPart extends TranscriptPart, CountedCursor {}

/** What a reader needs of a transcript. */
export interface TranscriptOptions {
  /**
   * False leaves all speakers as recognised: a new name for each means a new segment for each, half
   * of what ten hours with corrections take. Default true.
   */
  readonly hasSpeakers?: boolean | undefined
}

/** Reads the part that follows another one, or the first one; none when it is not there. */
export type PartReader = (
  before: Option.Option<CountedCursor>
) => Effect.Effect<Option.Option<CountedPart>, JobStoreError>

export class Transcripts extends Context.Service<
  Transcripts,
  {
    /** A whole transcript; none before it is there, or when it is gone. */
    readonly whole: (
      id: JobId,
      wish?: TranscriptOptions
    ) => Effect.Effect<Option.Option<Transcript>, JobStoreError>
    /**
     * Begins to read a transcript in parts. Its corrections are held until the last one is read:
     * at most four times as much text as was recognised.
     */
    readonly open: (id: JobId) => Effect.Effect<PartReader, JobStoreError>
  }
>()("@verbatim/core/services/Transcripts") {
  static readonly layer: Layer.Layer<Transcripts, never, CorrectionStore | JobStore> = Layer.effect(
    Transcripts,
    Effect.gen(function* () {
      const corrections = yield* CorrectionStore
      const jobs = yield* JobStore

      const overlayOf = (id: JobId) =>
        corrections.current(id).pipe(
          Effect.mapError(toJobStoreError),
          Effect.map((found) => (Option.isNone(found) ? noCorrections : found.value.overlay))
        )

      const whole = Effect.fnUntraced(function* (
        id: JobId,
        { hasSpeakers = true }: TranscriptOptions = {}
      ) {
        const overlay = yield* overlayOf(id)
        const correct = makeCorrector(hasSpeakers ? overlay : { ...overlay, speakers: [] })
        const recognised = yield* jobs.transcript(id)
        return Option.map(recognised, (transcript) => correct(transcript, 0))
      })

      const open = Effect.fnUntraced(function* (id: JobId) {
        const correct = makeCorrector(yield* overlayOf(id))
        return (before: Option.Option<CountedCursor>) =>
          Effect.map(
            jobs.transcriptPart(id, before),
            Option.map((part) => {
              const count = Option.match(before, { onNone: () => 0, onSome: (mark) => mark.count })
              return { ...correct(part, count), count: count + part.segments.length }
            })
          )
      })

      return Transcripts.of({ whole, open })
    })
  )
}

/** To a reader, both are the store that has the transcript. */
const toJobStoreError = (cause: CorrectionStoreError) =>
  new JobStoreError({ operation: "corrections", reason: { _tag: "Unavailable", cause } })
