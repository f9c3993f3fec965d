/**
 * Summarizes a transcript: chooses a type for the length of the audio, and calls the summarizer.
 */

import { Duration, Effect, Option, Result } from "effect"
import { Failure } from "../../domain/attempt/Failure.ts"
import { JobEvent } from "../../domain/job/JobEvent.ts"
import { storable } from "../../domain/schema/StorableText.ts"
import { Event } from "../../domain/summary/Summary.ts"
import { choose } from "../../domain/summary/SummaryType.ts"
import { Summarizer } from "../../ports/Summarizer.ts"
import { trace } from "../../ports/Trace.ts"
import type { TaskContext } from "./TaskContext.ts"
import { Transcripts } from "./Transcripts.ts"

/** Maximum time to read a transcript. If reading takes longer, it is considered to hang. */
const transcriptTimeout = Duration.seconds(10)

/**
 * Maximum length of a summary, which is many times the length of one of type `long`. It is limited
 * because every change to a job reads and writes the summary.
 */
const summaryLengthMax = 100_000

/** Creates a function that writes the summary for a job whose summary is in the state Running. */
export const makeSummarize = Effect.gen(function* () {
  const summarizer = yield* Summarizer
  const transcripts = yield* Transcripts

  return trace("Summaries.summarize")(function* ({ job, now }: TaskContext) {
    const { summary, transcription } = job
    if (summary?._tag !== "Running" || transcription._tag !== "Transcribed") {
      return yield* Effect.die("a summary runs, but its job has no transcript or no attempt")
    }
    const type = Result.getOrElse(
      choose({ ...transcription, requested: summary.type }),
      // There is always a type, because a summary without a possible type is skipped before any
      // attempt.
      () => summary.type
    )
    const transcript = yield* transcripts.whole(job.id).pipe(
      Effect.timeout(transcriptTimeout),
      Effect.mapError(() => Failure.cases.StorageFailed.make({ detail: "no transcript" }))
    )
    // The job was just deleted, so the results of this attempt will be discarded.
    if (Option.isNone(transcript)) {
      return yield* Effect.fail(Failure.cases.TranscriptMissing.make({}))
    }
    const text = yield* summarizer
      .summarize({ type, transcript: transcript.value })
      .pipe(Effect.mapError(({ reason }) => reason))
    const event = Event.cases.SummaryProduced.make({
      at: yield* now,
      type,
      text: storable(text, summaryLengthMax)
    })
    return { events: [JobEvent.cases.Summary.make({ event })] }
  })
})
