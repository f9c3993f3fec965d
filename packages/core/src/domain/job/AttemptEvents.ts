/**
 * The events that begin and end an attempt, whichever machine it belongs to. Pure: the worker only
 * asks, runs, and commits what it is told.
 */
import { type DateTime, Result } from "effect"
import { Failure, toStorable } from "../attempt/Failure.ts"
import { decide, policies, type RetryPolicy, Verdict } from "../attempt/Verdict.ts"
import { isTelling } from "../attempt/Work.ts"
import type { Frozen } from "../delivery/Delivery.ts"
import * as Delivery from "../delivery/Delivery.ts"
import * as Notice from "../notice/Notice.ts"
import * as Summary from "../summary/Summary.ts"
import { choose } from "../summary/SummaryType.ts"
import * as Transcription from "../transcription/Transcription.ts"
import { type AttemptUnderway, current, type Machines } from "./Current.ts"
import type { Job } from "./Job.ts"
import { JobEvent } from "./JobEvent.ts"

type Events = ReadonlyArray<JobEvent>

const onTranscription = (event: Transcription.Event): JobEvent =>
  JobEvent.cases.Transcription.make({ event })
const onSummary = (event: Summary.Event): JobEvent => JobEvent.cases.Summary.make({ event })
const onDelivery = (event: Delivery.Event): JobEvent => JobEvent.cases.Delivery.make({ event })
const onNotice = (event: Notice.Event): JobEvent => JobEvent.cases.Notice.make({ event })

/** The attempt that has begun and not ended, if there is one. */
export const attemptUnderway = (job: Machines): AttemptUnderway | undefined => {
  const now = current(job)
  return now._tag === "Underway" ? now.attempt : undefined
}

/** Why there can be no summary although the transcription has ended. */
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

/** The event that skips a summary which cannot be made, given how the transcription ended. */
const skip = (job: Job, transcription: Transcription.State, at: DateTime.Utc): Events => {
  const reason = skipReason({ ...job, transcription })
  return reason === undefined
    ? []
    : [onSummary(Summary.Event.cases.SummarySkipped.make({ at, reason }))]
}

/**
 * What a claim of a job leads to when no attempt is under way: the next attempt, or the end of a
 * summary that cannot be made. The first attempt of a delivery takes what was frozen for it, and
 * does not begin without it.
 */
export const beginEvents = (
  job: Job,
  { at, frozen }: { readonly at: DateTime.Utc; readonly frozen: Frozen | undefined }
): Events => {
  const now = current(job)
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

/** The transcript is there. A summary that cannot be made of it is skipped by the same commit. */
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

/** A verdict as an event. */
const endingOf = (verdict: Verdict, { at, failure }: { at: DateTime.Utc; failure: Failure }) =>
  Verdict.match(verdict, {
    Retry: ({ dueAt }) => ({ _tag: "RetryScheduled" as const, at, dueAt, failure }),
    Postpone: ({ dueAt }) => ({ _tag: "AttemptPostponed" as const, at, dueAt, failure }),
    Isolate: ({ dueAt }) => ({ _tag: "AttemptLost" as const, at, dueAt }),
    GiveUp: () => ({ _tag: "GivenUp" as const, at, failure })
  })

/** The attempt failed: another one later, or the end, which skips a summary that waited for it. */
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
    /** The policy of the task; without one, the policy that holds everywhere. */
    readonly policy?: RetryPolicy
  }
): Events => {
  const failure = toStorable(cause)
  const sentAt = job.renewedAt ?? job.acceptedAt
  const ending = endingOf(decide({ ...attempt, policy, failure, now: at, sentAt }), {
    at,
    failure
  })
  if (attempt.task === "Summarize") return [onSummary(ending)]
  if (isTelling(attempt.task)) {
    // Its policy counts each loss, so that nothing is isolated.
    if (ending._tag === "AttemptLost") return []
    return [attempt.task === "Deliver" ? onDelivery(ending) : onNotice(ending)]
  }
  const next = Transcription.transition(job.transcription, ending)
  return [onTranscription(ending), ...(Result.isSuccess(next) ? skip(job, next.success, at) : [])]
}

/**
 * The attempt is given back by a worker that stops. A webhook may have gone out already, and a
 * listener may have been called, so their attempts count.
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
  if (isTelling(attempt.task)) {
    return failureEvents(job, { ...ended, failure: Failure.cases.WorkerLost.make({}) })
  }
  return attempt.task === "Summarize"
    ? [onSummary(Summary.Event.cases.AttemptReleased.make({ at }))]
    : [onTranscription(Transcription.Event.cases.AttemptReleased.make({ at }))]
}
