/**
 * Reads corrected transcripts. All code that shows, sends or summarizes a transcript reads it
 * through this service. A transcript is read with one version of its corrections, from the first
 * part to the last. Corrections are read before the transcript. Since both are deleted together, a
 * corrected transcript is never shown without its corrections.
 */
import { Context, Effect, Layer, Option } from "effect"
import type { JobId } from "../../domain/attempt/Attempt.ts"
import {
  type CountedCursor,
  type CountedPart,
  makeCorrector,
  makePartReader
} from "../../domain/correction/CorrectedTranscript.ts"
import { noCorrections } from "../../domain/correction/Overlay.ts"
import { CorrectionStore, type CorrectionStoreError } from "../../ports/CorrectionStore.ts"
import { JobStore, JobStoreError } from "../../ports/JobStore.ts"

export type { CountedCursor, CountedPart }

/** Options for reading a transcript. */
export interface TranscriptOptions {
  /**
   * Whether to apply the new names of speakers. This copies each segment, which takes half of the
   * time to read ten hours of corrected speech. Default: true.
   */
  readonly hasSpeakers?: boolean | undefined
}

/**
 * Reads the part of a transcript after a cursor; without a cursor, the first part. Returns none if
 * the part does not exist.
 */
export type PartReader = (
  before: Option.Option<CountedCursor>
) => Effect.Effect<Option.Option<CountedPart>, JobStoreError>

const makeTranscripts = Effect.gen(function* () {
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
    const overlay = yield* overlayOf(id)
    return makePartReader(overlay, (before) => jobs.transcriptPart(id, before))
  })

  return {
    /** Reads a whole transcript; none before it exists and after its deletion. */
    whole,
    /**
     * Starts reading a transcript in parts. The corrections stay in memory until the last part is
     * read; they are at most four times as long as the recognised text.
     */
    open
  }
})

export class Transcripts extends Context.Service<
  Transcripts,
  Effect.Success<typeof makeTranscripts>
>()("@verbatim/core/services/Transcripts") {
  static readonly layer: Layer.Layer<Transcripts, never, CorrectionStore | JobStore> = Layer.effect(
    Transcripts,
    makeTranscripts
  )
}

/** Converts a failure of either store to a failure of the job store. */
const toJobStoreError = (cause: CorrectionStoreError) =>
  new JobStoreError({ operation: "corrections", reason: { _tag: "Unavailable", cause } })
