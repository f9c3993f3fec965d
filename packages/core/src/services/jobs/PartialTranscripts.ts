/**
 * Reads the text so far of a recording that is being recognised: the text of all readable pieces.
 */
import { Effect, Option } from "effect"
import type { JobId } from "../../domain/attempt/Attempt.ts"
import { isClosed, type Job } from "../../domain/job/Job.ts"
import { piecesOf } from "../../domain/job/JobDetails.ts"
import type { PieceProgress } from "../../domain/transcription/Piece.ts"
import { toPartialTranscript } from "../../domain/transcription/RecognisedTranscript.ts"
import { withDeadline } from "../../ports/Deadline.ts"
import { JobStore, unanswered } from "../../ports/JobStore.ts"
import type { CountedCursor, CountedPart } from "../tasks/Transcripts.ts"

/** A range of pieces of one plan; its end is exclusive. */
export interface PieceRange extends Pick<PieceProgress, "plan"> {
  readonly id: JobId
  readonly from: number
  readonly to: number
}

/** Number of pieces that are read at a time: at most eight minutes of speech, about 100 kB. */
export const pieceBatch = 16

/**
 * Creates a function that reads the text of pieces. Pieces that were deleted, or now belong to
 * another plan, have no text.
 */
export const makeReadPieces = Effect.map(JobStore, (store) =>
  Effect.fnUntraced(
    function* ({ from, id, plan, to }: PieceRange) {
      const pieces = yield* store.pieces(id, { from, to })
      // The job is read after the pieces, because its plan changes in the same commit that replaces
      // the first piece.
      const job = Option.flatten(Option.fromUndefinedOr((yield* store.present([id])).get(id)))
      const progress = Option.getOrUndefined(Option.map(job, piecesOf))
      // If recognition returns to an earlier plan, that plan's later pieces are not stored yet.
      const isCurrent = progress?.plan === plan && to <= progress.ready
      return toPartialTranscript(isCurrent ? pieces : [])
    },
    withDeadline({ timeoutError: () => unanswered("pieces") })
  )
)

/**
 * Returns the progress of a job with readable pieces; none if there are no such pieces, or once
 * there is a transcript.
 */
export const readablePieces = (job: Job): Option.Option<PieceProgress> => {
  const isPartial = job.transcription._tag !== "Transcribed" && !isClosed(job)
  const pieces = piecesOf(job)
  return isPartial && pieces !== undefined && pieces.ready > 0 ? Option.some(pieces) : Option.none()
}

/** Creates a function that reads the text so far, part by part. */
export const makePartialParts = Effect.map(
  makeReadPieces,
  (read) =>
    ({ id, request }: Job, { plan, ready }: PieceProgress) =>
      Effect.fnUntraced(function* (before: Option.Option<CountedCursor>) {
        const from = Option.getOrElse(
          Option.flatMap(before, ({ next }) => next),
          () => 0
        )
        const to = Math.min(from + pieceBatch, ready)
        const part = yield* read({ id, plan, from, to })
        const { durationMillis, language } = Option.isSome(before)
          ? before.value
          : {
              language: request.language ?? part.language,
              durationMillis: (yield* read({ id, plan, from: ready - 1, to: ready })).durationMillis
            }
        const next = to < ready ? Option.some(to) : Option.none<number>()
        return { ...part, durationMillis, language, next, count: 0 } satisfies CountedPart
      })
)
