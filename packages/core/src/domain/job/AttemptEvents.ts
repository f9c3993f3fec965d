/**
 * Decides which events begin and end an attempt of any task. The module is pure: the worker calls
 * it, runs the attempt and commits the events.
 */
import { type DateTime, Result } from "effect"
import { Failure, toStorable } from "../attempt/Failure.ts"
import { decide, policies, type RetryPolicy, Verdict } from "../attempt/Verdict.ts"
import { isNotification } from "../attempt/Work.ts"
import type { Frozen } from "../delivery/Delivery.ts"
import * as Delivery from "../delivery/Delivery.ts"
import * as Notice from "../notice/Notice.ts"
import * as Summary from "../summary/Summary.ts"
import { choose } from "../summary/SummaryType.ts"
import { type CountedPiece, recognisedEvent } from "../transcription/Piece.ts"
import * as Transcription from "../transcription/Transcription.ts"
import { type AttemptUnderway, currentStep, type Machines } from "./CurrentStep.ts"
import type { Job } from "./Job.ts"
import { JobEvent } from "./JobEvent.ts"

type Events = ReadonlyArray<JobEvent>

const onTranscription = (event: Transcription.Event): JobEvent =>
  JobEvent.cases.Transcription.make({ event })
const onSummary = (event: Summary.Event): JobEvent => JobEvent.cases.Summary.make({ event })
const onDelivery = (event: Delivery.Event): JobEvent => JobEvent.cases.Delivery.make({ event })
const onNotice = (event: Notice.Event): JobEvent => JobEvent.cases.Notice.make({ event })

/** Returns the running attempt, if there is one. */
export const attemptUnderway = (job: Machines): AttemptUnderway | undefined => {
  const now = currentStep(job)
  return now._tag === "Underway" ? now.attempt : undefined
}

/** Returns why an ended transcription cannot have a summary; undefined if it can. */
const skipReason = ({ summary, transcription }: Job): Summary.SkipReason | undefined => {
  if (summary === null) return undefined
  if (transcription._tag === "Failed") return "transcription failed"
  if (transcription._tag !== "Transcribed") return undefined
  const chosen = choose({
    requested: summary.type,
    durationMillis: transcription.durationMillis,
    isEmpty: transcription.isEmpty
  })
  return Result.isFailure(chosen) ? chosen.failure : undefined
}

/**
 * Returns the event that skips the summary, if the transcription ended in a way that makes a
 * summary impossible.
 */
const skip = (job: Job, transcription: Transcription.State, at: DateTime.Utc): Events => {
  const reason = skipReason({ ...job, transcription })
  return reason === undefined
    ? []
    : [onSummary(Summary.Event.cases.SummarySkipped.make({ at, reason }))]
}

/**
 * Returns the events that follow a claim if no attempt is running: the start of the next attempt,
 * or the event that skips an impossible summary. The first attempt of a delivery needs the frozen
 * content, and does not begin without it.
 */
export const beginEvents = (
  job: Job,
  { at, frozen }: { readonly at: DateTime.Utc; readonly frozen: Frozen | undefined }
): Events => {
  const now = currentStep(job)
  if (now._tag === "Idle") return []
  switch (now.task) {
    case "Fetch":
    case "Transcribe":
      return [onTranscription(Transcription.Event.cases.AttemptStarted.make({ at }))]
    case "Summarize": {
      const skipped = skip(job, job.transcription, at)
      return skipped.length > 0
        ? skipped
        : [onSummary(Summary.Event.cases.AttemptStarted.make({ at }))]
    }
    case "Deliver": {
      const shown = Delivery.frozenOf(job.delivery) ?? frozen
      return shown === undefined
        ? []
        : [onDelivery(Delivery.Event.cases.AttemptStarted.make({ at, frozen: shown }))]
    }
    case "Notify":
      return [onNotice(Notice.Event.cases.AttemptStarted.make({ at }))]
  }
}

/** Returns the event that counts a recognised piece of a running transcription. */
export const pieceEvents = (
  { transcription }: Job,
  { at, ...piece }: CountedPiece & { readonly at: DateTime.Utc }
): Events => {
  const before = transcription._tag === "Running" ? transcription.pieces : undefined
  const fields = { at, ...recognisedEvent(before, piece) }
  return [onTranscription(Transcription.Event.cases.PieceRecognised.make(fields))]
}

/**
 * Returns the events that end a transcription with its transcript. If no summary is possible, one
 * of them skips it, in the same commit.
 */
export const transcriptEvents = (
  job: Job,
  produced: Omit<typeof Transcription.Event.cases.TranscriptProduced.Type, "_tag">
): Events => {
  const event = Transcription.Event.cases.TranscriptProduced.make(produced)
  const next = Transcription.transition(job.transcription, event)
  return [
    onTranscription(event),
    ...(Result.isSuccess(next) ? skip(job, next.success, produced.at) : [])
  ]
}

/** Converts a verdict to an event. */
const endingOf = (verdict: Verdict, { at, failure }: { at: DateTime.Utc; failure: Failure }) =>
  Verdict.match(verdict, {
    Retry: ({ dueAt }) => ({ _tag: "RetryScheduled" as const, at, dueAt, failure }),
    Postpone: ({ dueAt }) => ({ _tag: "AttemptPostponed" as const, at, dueAt, failure }),
    Isolate: ({ dueAt }) => ({ _tag: "AttemptLost" as const, at, dueAt }),
    GiveUp: () => ({ _tag: "GivenUp" as const, at, failure })
  })

/**
 * Returns the events that end a failed attempt. If no other attempt follows, a summary that waits
 * for the transcript is skipped.
 */
export const failureEvents = (
  job: Job,
  {
    at,
    attempt,
    failure: cause,
    policy = policies[attempt.task]
  }: {
    readonly at: DateTime.Utc
    readonly attempt: AttemptUnderway
    readonly failure: Failure
    /** The task's retry policy; the general policy by default. */
    readonly policy?: RetryPolicy
  }
): Events => {
  const failure = toStorable(cause)
  const requestedAt = job.renewedAt ?? job.acceptedAt
  const ending = endingOf(decide({ ...attempt, policy, failure, now: at, requestedAt }), {
    at,
    failure
  })
  if (attempt.task === "Summarize") return [onSummary(ending)]
  if (isNotification(attempt.task)) {
    // The verdict is never isolation, because every lost attempt of these tasks counts.
    if (ending._tag === "AttemptLost") return []
    return [attempt.task === "Deliver" ? onDelivery(ending) : onNotice(ending)]
  }
  const next = Transcription.transition(job.transcription, ending)
  return [onTranscription(ending), ...(Result.isSuccess(next) ? skip(job, next.success, at) : [])]
}

/**
 * Returns the events that release the attempt of a stopping worker. Attempts at a webhook or a
 * notice are counted instead, because the webhook may have been sent or the listener called.
 */
export const releaseEvents = (
  job: Job,
  ended: {
    readonly at: DateTime.Utc
    readonly attempt: AttemptUnderway
    readonly policy?: RetryPolicy
  }
): Events => {
  const { at, attempt } = ended
  if (isNotification(attempt.task)) {
    return failureEvents(job, { ...ended, failure: Failure.cases.WorkerLost.make({}) })
  }
  return attempt.task === "Summarize"
    ? [onSummary(Summary.Event.cases.AttemptReleased.make({ at }))]
    : [onTranscription(Transcription.Event.cases.AttemptReleased.make({ at }))]
}
