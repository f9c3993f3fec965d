/**
 * Decides which parts of a finished job are removed, and when. The days in a retention rule count
 * from the end of the job: the end of its transcript, summary, webhook or notice, whichever comes
 * last.
 */
import { DateTime, Duration, Option } from "effect"
import type { JobId } from "../attempt/Attempt.ts"
import type { MediaKey } from "../transcription/MediaKey.ts"
import type { RetentionRule } from "../workspace/RetentionRule.ts"
import { isClosed, isTerminal, type Job } from "./Job.ts"
import { JobEvent } from "./JobEvent.ts"
import { type Event, retentionStateOf } from "./RetentionState.ts"

/**
 * The part of a finished job that is removed next; `Nothing` if only the job itself remains. A
 * failed job without media can still be retried, so it is treated like a job with a transcript
 * until a transcript would expire.
 */
export type Holding = "Media" | "Transcript" | "Nothing"

/**
 * The end of a job, and what it still has, stored next to the job so that queries find old jobs
 * without a scan.
 */
export interface JobEnd {
  /** The time when the job ended; none while any part of it can still change. */
  readonly endedAt: Option.Option<DateTime.Utc>
  readonly holding: Holding
}

/**
 * Returns the time when the last of the job's machines ended; none while any of them can still
 * change.
 */
const endedAt = (job: Job): Option.Option<DateTime.Utc> => {
  if (!isTerminal(job)) return Option.none()
  const { delivery, notice, summary, transcription } = job
  const ends = [transcription, summary, delivery, notice].flatMap((state) =>
    state !== undefined && state !== null && "endedAt" in state ? [state.endedAt] : []
  )
  return Option.fromUndefinedOr(
    ends.reduce<DateTime.Utc | undefined>(
      (last, at) => (last === undefined ? at : DateTime.max(last, at)),
      undefined
    )
  )
}

const mediaIn = ({ transcription }: Job) =>
  "media" in transcription ? transcription.media : undefined

/** Returns the key of a job's media; none if the media was removed. */
export const findMediaKey = (job: Job): Option.Option<MediaKey> =>
  hasLostMedia(job) ? Option.none() : Option.map(Option.fromNullishOr(mediaIn(job)), (m) => m.key)

const hasLostMedia = (job: Job): boolean => {
  const { _tag } = retentionStateOf(job)
  return _tag === "MediaGone" || _tag === "TranscriptGone"
}

/** Returns the part of a job that would be removed next. */
export const holdingOf = (job: Job): Holding => {
  if (retentionStateOf(job)._tag === "TranscriptGone") return "Nothing"
  return Option.isSome(findMediaKey(job)) ? "Media" : "Transcript"
}

/** Returns the end of a job in its stored form. */
export const jobEnd = (job: Job): JobEnd => ({
  endedAt: endedAt(job),
  holding: holdingOf(job)
})

/**
 * The cutoff for each part. A job that ended at or before the cutoff loses the part; null means
 * that the part is never removed. The cutoff for the transcript is never later than that for media,
 * and the cutoff for the job is never later than that for the transcript.
 */
export type Cutoffs = Readonly<Record<"media" | "transcript" | "job", DateTime.Utc | null>>

const before = (now: DateTime.Utc, days: number | null): DateTime.Utc | null =>
  days === null ? null : DateTime.subtract(now, { days })

/** Returns the cutoffs of a retention rule at the given time. */
export const cutoffsOf = (rule: RetentionRule, now: DateTime.Utc): Cutoffs => ({
  media: before(now, rule.mediaDays),
  transcript: before(now, rule.transcriptDays),
  job: before(now, rule.jobDays)
})

/** The next step in removing the expired parts of a job. */
export type Expiry =
  /** Remove nothing yet: the job has not ended, or ended too recently. */
  | { readonly _tag: "None" }
  /** Make the media unusable, and then remove the file. `afterMedia` decides what to do next. */
  | { readonly _tag: "Media" }
  /** Commit these events, which remove parts of the job. */
  | { readonly _tag: "Events"; readonly events: ReadonlyArray<JobEvent> }
  /** Remove the whole job. */
  | { readonly _tag: "Job" }

/** The cutoffs and the time for deciding the expiry of a job. */
export interface ExpiryContext {
  readonly cutoffs: Cutoffs
  readonly now: DateTime.Utc
}

const none: Expiry = { _tag: "None" }

const hasPassed = (job: Job, cutoff: DateTime.Utc | null): boolean =>
  cutoff !== null && Option.exists(endedAt(job), (at) => DateTime.isLessThanOrEqualTo(at, cutoff))

/** Returns the names of the events that still have to happen before a job is without media. */
const mediaTags = (job: Job): ReadonlyArray<Event["_tag"]> => {
  const { _tag } = retentionStateOf(job)
  if (_tag === "MediaGoing") return ["MediaRemoved"]
  return _tag === "Kept" && holdingOf(job) === "Media" ? ["MediaExpired", "MediaRemoved"] : []
}

/** Decides what to remove once the media is gone: the whole job, or its expired parts. */
export const afterMedia = (
  job: Job,
  { cutoffs, now }: ExpiryContext
): Exclude<Expiry, { readonly _tag: "Media" }> => {
  if (hasPassed(job, cutoffs.job)) return { _tag: "Job" }
  const hasText = holdingOf(job) !== "Nothing" && hasPassed(job, cutoffs.transcript)
  const tags = [...mediaTags(job), ...(hasText ? (["TranscriptExpired"] as const) : [])]
  const events = tags.map((_tag) => JobEvent.cases.Keeping.make({ event: { _tag, at: now } }))
  return events.length === 0 ? none : { _tag: "Events", events }
}

/** Decides what to remove next from a job. Media always goes first. */
export const nextExpiry = (job: Job, deciding: ExpiryContext): Expiry => {
  if (holdingOf(job) !== "Media") return afterMedia(job, deciding)
  if (!hasPassed(job, deciding.cutoffs.media)) return none
  return { _tag: "Media" }
}

/** Returns the event that begins the removal of media. After this event, nothing uses the media. */
export const mediaExpired = (now: DateTime.Utc): JobEvent =>
  JobEvent.cases.Keeping.make({ event: { _tag: "MediaExpired", at: now } })

/** Whether the events remove the transcript, and with it everything that repeats its text. */
export const removesTranscript = (events: ReadonlyArray<JobEvent>): boolean =>
  events.some(({ event }) => event._tag === "TranscriptExpired")

/**
 * Returns the events without the texts of summaries, because these repeat the transcript. Events
 * without such a text are returned unchanged.
 */
export const withoutText = (events: ReadonlyArray<JobEvent>): ReadonlyArray<JobEvent> =>
  events.some(({ event }) => event._tag === "SummaryProduced" && event.text !== "")
    ? events.map((happened) =>
        happened._tag === "Summary" && happened.event._tag === "SummaryProduced"
          ? JobEvent.cases.Summary.make({ event: { ...happened.event, text: "" } })
          : happened
      )
    : events

// The retention sweep goes through the old jobs of a workspace page by page: first the jobs without
// a stored end, then the finished jobs, grouped by the parts that they still have. Each page begins
// after the jobs already visited, so a job that cannot be removed now does not block the next ones.

/** A job's position in a list that is ordered by time of end or acceptance, and then by id. */
export interface JobPosition {
  readonly at: DateTime.Utc
  readonly id: JobId
}

/** The position from which a retention sweep resumes. */
export interface SweepPosition {
  readonly stage: Holding
  readonly after: Option.Option<JobPosition>
}

const stages: ReadonlyArray<Holding> = ["Media", "Transcript", "Nothing"]

/** The position at which a retention sweep starts. */
export const sweepStart: SweepPosition = { stage: "Media", after: Option.none() }

/**
 * Returns the position at which a retention sweep continues after the last job of a stage; none at
 * the end of the sweep.
 */
export const nextStage = ({ stage }: SweepPosition): Option.Option<SweepPosition> =>
  Option.map(Option.fromUndefinedOr(stages[stages.indexOf(stage) + 1]), (next) => ({
    stage: next,
    after: Option.none()
  }))

/**
 * Returns the cutoff for jobs at this stage; null if the part that they would lose never expires.
 */
export const cutoffOf = (holding: Holding, cutoffs: Cutoffs): DateTime.Utc | null =>
  ({ Media: cutoffs.media, Transcript: cutoffs.transcript, Nothing: cutoffs.job })[holding]

/** Maximum number of jobs on a page of the sweep, and of rows that one transaction removes. */
export const pageMax = 100

/**
 * Maximum cost of one step of the retention sweep, in rows. A transaction at this cost takes about
 * ten milliseconds.
 */
const costMax = 100

/**
 * The cost of each kind of removal, in rows: a commit takes several statements, and a file also
 * takes a call to the media store.
 */
const costs = { None: 0, Job: 1, Events: 4, Media: 10 } as const satisfies Record<
  Expiry["_tag"],
  number
>

/**
 * The minutes of audio that cost as much to remove as one more row: their transcript takes about 40
 * kB.
 */
const minutesPerRow = 2

/** Returns the cost of removing the expired parts of a job. */
export const costOf = ({ _tag }: Expiry, job: Job): number => {
  const { transcription } = job
  const hasText = _tag !== "None" && transcription._tag === "Transcribed" && !isClosed(job)
  const minutes = hasText ? Duration.toMinutes(transcription.durationMillis) : 0
  return costs[_tag] + minutes / minutesPerRow
}

/**
 * Takes jobs from the start of a page until their cost reaches the maximum of a step; always takes
 * at least one job.
 */
export const takeStep = <A extends { readonly cost: number }>(
  page: ReadonlyArray<A>
): ReadonlyArray<A> => {
  let sum = 0
  const end = page.findIndex(({ cost }, index) => {
    sum += cost
    return index > 0 && sum > costMax
  })
  return end === -1 ? page : page.slice(0, end)
}
