/**
 * Decides what of an ended job is removed, and when. The days of a rule count from the end of the
 * job: of its transcript, summary, webhook or notice, whichever ended last.
 */
import { DateTime, Duration, Option } from "effect"
import type { JobId } from "../attempt/Attempt.ts"
import type { MediaKey } from "../transcription/MediaKey.ts"
import type { RetentionRule } from "../workspace/RetentionRule.ts"
import { isClosed, isTerminal, type Job } from "./Job.ts"
import { JobEvent } from "./JobEvent.ts"
import { type Event, retentionStateOf } from "./RetentionState.ts"

/**
 * The next part of an ended job to remove, before the job itself. A failed job without media can
 * be retried, and so counts as one with a transcript until that expires.
 */
export type Holding = "Media" | "Transcript" | "Nothing"

/** The end of a job, stored next to it so that old jobs are found without a search. */
export interface JobEnd {
  /** None while it has not ended. */
  readonly endedAt: Option.Option<DateTime.Utc>
  readonly holding: Holding
}

/** When the last of its machines ended; none while one of them can move. */
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

/** Finds the key of the media that a job holds; none if it was removed. */
export const findMediaKey = (job: Job): Option.Option<MediaKey> =>
  hasLostMedia(job) ? Option.none() : Option.map(Option.fromNullishOr(mediaIn(job)), (m) => m.key)

const hasLostMedia = (job: Job): boolean => {
  const { _tag } = retentionStateOf(job)
  return _tag === "MediaGone" || _tag === "TranscriptGone"
}

/** Returns what a job still holds. */
export const holdingOf = (job: Job): Holding => {
  if (retentionStateOf(job)._tag === "TranscriptGone") return "Nothing"
  return Option.isSome(findMediaKey(job)) ? "Media" : "Transcript"
}

/** Returns the end of a job, as it is to be stored. */
export const jobEnd = (job: Job): JobEnd => ({
  endedAt: endedAt(job),
  holding: holdingOf(job)
})

/**
 * Jobs that ended at or before these instants lose these parts; null if nothing is removed. Each is
 * no later than the one before it.
 */
export type Cutoffs = Readonly<Record<"media" | "transcript" | "job", DateTime.Utc | null>>

const before = (now: DateTime.Utc, days: number | null): DateTime.Utc | null =>
  days === null ? null : DateTime.subtract(now, { days })

/** Returns the cutoffs of a rule. */
export const cutoffsOf = (rule: RetentionRule, now: DateTime.Utc): Cutoffs => ({
  media: before(now, rule.mediaDays),
  transcript: before(now, rule.transcriptDays),
  job: before(now, rule.jobDays)
})

/** The part of a job to remove. */
export type Expiry =
  /** Nothing yet: it has not ended, or not long enough ago. */
  | { readonly _tag: "None" }
  /** Its media is unusable from now on; then the file is removed, followed by `afterMedia`. */
  | { readonly _tag: "Media" }
  /** Remove stored parts by these events. */
  | { readonly _tag: "Events"; readonly events: ReadonlyArray<JobEvent> }
  /** Remove the whole job. */
  | { readonly _tag: "Job" }

/** The facts that decide the expiry of a job. */
export interface ExpiryContext {
  readonly cutoffs: Cutoffs
  readonly now: DateTime.Utc
}

const none: Expiry = { _tag: "None" }

const hasPassed = (job: Job, cutoff: DateTime.Utc | null): boolean =>
  cutoff !== null && Option.exists(endedAt(job), (at) => DateTime.isLessThanOrEqualTo(at, cutoff))

/** Returns the events that lead to a job without media, from its retention state. */
const mediaTags = (job: Job): ReadonlyArray<Event["_tag"]> => {
  const { _tag } = retentionStateOf(job)
  if (_tag === "MediaGoing") return ["MediaRemoved"]
  return _tag === "Kept" && holdingOf(job) === "Media" ? ["MediaExpired", "MediaRemoved"] : []
}

/** Decides what follows without media: remove the whole job, or its expired parts. */
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

/** Decides the next removal. Media always goes first. */
export const nextExpiry = (job: Job, deciding: ExpiryContext): Expiry => {
  if (holdingOf(job) !== "Media") return afterMedia(job, deciding)
  if (!hasPassed(job, deciding.cutoffs.media)) return none
  return { _tag: "Media" }
}

/** Returns the first event of removing media: from then on nothing uses it. */
export const mediaExpired = (now: DateTime.Utc): JobEvent =>
  JobEvent.cases.Keeping.make({ event: { _tag: "MediaExpired", at: now } })

/** Whether the events remove the transcript, and with it all that repeats its text. */
export const removesTranscript = (events: ReadonlyArray<JobEvent>): boolean =>
  events.some(({ event }) => event._tag === "TranscriptExpired")

/**
 * Returns the events without the text of a summary, which repeats the transcript; unchanged if none
 * has it.
 */
export const withoutText = (events: ReadonlyArray<JobEvent>): ReadonlyArray<JobEvent> =>
  events.some(({ event }) => event._tag === "SummaryProduced" && event.text !== "")
    ? events.map((happened) =>
        happened._tag === "Summary" && happened.event._tag === "SummaryProduced"
          ? JobEvent.cases.Summary.make({ event: { ...happened.event, text: "" } })
          : happened
      )
    : events

// The sweep goes through the old jobs of a workspace page by page: first those without a stored
// end, then those that have ended, by what they hold. It resumes after the jobs it has passed, so
// that a job that cannot be removed now does not block the next ones.

/** An instant and the id of a job: a position in the order of ends, or of acceptance. */
export interface Place {
  readonly at: DateTime.Utc
  readonly id: JobId
}

/** Where a sweep continues. */
export interface SweepPosition {
  readonly stage: Holding
  readonly after: Option.Option<Place>
}

const stages: ReadonlyArray<Holding> = ["Media", "Transcript", "Nothing"]

/** The beginning of a sweep. */
export const sweepStart: SweepPosition = { stage: "Media", after: Option.none() }

/** Returns where a sweep continues when a stage has no more jobs; none at its end. */
export const nextStage = ({ stage }: SweepPosition): Option.Option<SweepPosition> =>
  Option.map(Option.fromUndefinedOr(stages[stages.indexOf(stage) + 1]), (next) => ({
    stage: next,
    after: Option.none()
  }))

/** Returns the cutoff for jobs that still hold this; null if none of them expire. */
export const cutoffOf = (holding: Holding, cutoffs: Cutoffs): DateTime.Utc | null =>
  ({ Media: cutoffs.media, Transcript: cutoffs.transcript, Nothing: cutoffs.job })[holding]

/** Rows of a page, and the most rows that a transaction removes. */
export const pageMax = 100

/** Maximum cost of a step, in rows: a transaction then takes some ten milliseconds. */
const costMax = 100

/** Costs in addition to the job's row: a commit is several statements, a file is a store call. */
const costs = { None: 0, Job: 1, Events: 4, Media: 10 } as const satisfies Record<
  Expiry["_tag"],
  number
>

/** The transcript of two minutes is about 40 kB: as much as twenty rows without one. */
const minutesPerRow = 2

/** Returns the cost of what is to be removed of a job. */
export const costOf = ({ _tag }: Expiry, job: Job): number => {
  const { transcription } = job
  const hasText = _tag !== "None" && transcription._tag === "Transcribed" && !isClosed(job)
  const minutes = hasText ? Duration.toMinutes(transcription.durationMillis) : 0
  return costs[_tag] + minutes / minutesPerRow
}

/** Takes the first jobs of a page that fit into the cost of one step, at least one. */
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
