/**
 * What of an ended job has to go, and when. The days of a rule count from the end of the job: of
 * its transcript, its summary, its webhook and its notices, whichever ended last.
 */
import { DateTime, Duration, Option } from "effect"
import type { JobId } from "../attempt/Attempt.ts"
import type { MediaKey } from "../transcription/MediaKey.ts"
import type { RetentionRule } from "../workspace/RetentionRule.ts"
import { isClosed, isTerminal, type Job } from "./Job.ts"
import { JobEvent } from "./JobEvent.ts"
import { type Event, keepingOf } from "./Keeping.ts"

/**
 * What an ended job holds besides itself, which goes next. A failed job without media may be run
 * again, and so counts as one with a transcript until that is over.
 */
export type Holding = "Media" | "Transcript" | "Nothing"

/** The end of a job as it is noted beside it, so that old jobs are found without a search. */
export interface NotedEnd {
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

/** The key of the media that a job holds; none when it was removed. */
export const namedMedia = (job: Job): Option.Option<MediaKey> =>
  hasLostMedia(job) ? Option.none() : Option.map(Option.fromNullishOr(mediaIn(job)), (m) => m.key)

const hasLostMedia = (job: Job): boolean => {
  const { _tag } = keepingOf(job)
  return _tag === "MediaGone" || _tag === "TranscriptGone"
}

/** What a job holds. */
export const holdingOf = (job: Job): Holding => {
  if (keepingOf(job)._tag === "TranscriptGone") return "Nothing"
  return Option.isSome(namedMedia(job)) ? "Media" : "Transcript"
}

/** The end of a job as it has to be noted. */
export const notedEnd = (job: Job): NotedEnd => ({
  endedAt: endedAt(job),
  holding: holdingOf(job)
})

/**
 * Jobs that ended at these instants or before lose these; null where nothing is lost. None is later
 * than the one before it.
 */
export type Cutoffs = Readonly<Record<"media" | "transcript" | "job", DateTime.Utc | null>>

const before = (now: DateTime.Utc, days: number | null): DateTime.Utc | null =>
  days === null ? null : DateTime.subtract(now, { days })

/** The instants of a rule. */
export const cutoffsOf = (rule: RetentionRule, now: DateTime.Utc): Cutoffs => ({
  media: before(now, rule.mediaDays),
  transcript: before(now, rule.transcriptDays),
  job: before(now, rule.jobDays)
})

/** What is to be done about a job. */
export type Expiry =
  /** Nothing now: it has not ended, or not long enough ago. */
  | { readonly _tag: "None" }
  /** Nobody may use its media from now on; then the file is removed; then comes `afterMedia`. */
  | { readonly _tag: "Media" }
  /** What is in the store goes with these events. */
  | { readonly _tag: "Events"; readonly events: ReadonlyArray<JobEvent> }
  /** All of it goes. */
  | { readonly _tag: "Job" }

/** By what is decided about a job. */
export interface Deciding {
  readonly cutoffs: Cutoffs
  readonly now: DateTime.Utc
}

const none: Expiry = { _tag: "None" }

const hasPassed = (job: Job, cutoff: DateTime.Utc | null): boolean =>
  cutoff !== null && Option.exists(endedAt(job), (at) => DateTime.isLessThanOrEqualTo(at, cutoff))

/** On the way to a job without media, from what is kept of it. */
const mediaTags = (job: Job): ReadonlyArray<Event["_tag"]> => {
  const { _tag } = keepingOf(job)
  if (_tag === "MediaGoing") return ["MediaRemoved"]
  return _tag === "Kept" && holdingOf(job) === "Media" ? ["MediaExpired", "MediaRemoved"] : []
}

/** What follows when there is no media, or no longer: all of the job, or what is over of it. */
export const afterMedia = (
  job: Job,
  { cutoffs, now }: Deciding
): Exclude<Expiry, { readonly _tag: "Media" }> => {
  if (hasPassed(job, cutoffs.job)) return { _tag: "Job" }
  const hasText = holdingOf(job) !== "Nothing" && hasPassed(job, cutoffs.transcript)
  const tags = [...mediaTags(job), ...(hasText ? (["TranscriptExpired"] as const) : [])]
  const events = tags.map((_tag) => JobEvent.cases.Keeping.make({ event: { _tag, at: now } }))
  return events.length === 0 ? none : { _tag: "Events", events }
}

/** The next thing to do about a job. Media goes before anything else does. */
export const nextExpiry = (job: Job, deciding: Deciding): Expiry => {
  if (holdingOf(job) !== "Media") return afterMedia(job, deciding)
  if (!hasPassed(job, deciding.cutoffs.media)) return none
  return { _tag: "Media" }
}

/** The first thing to do about media: from then on nothing counts on it. */
export const mediaExpired = (now: DateTime.Utc): JobEvent =>
  JobEvent.cases.Keeping.make({ event: { _tag: "MediaExpired", at: now } })

/** Whether this takes the transcript, and with it whatever repeats its text. */
export const takesText = (events: ReadonlyArray<JobEvent>): boolean =>
  events.some(({ event }) => event._tag === "TranscriptExpired")

/** Events without the text of a summary, which repeats the transcript; the same if none has it. */
export const withoutText = (events: ReadonlyArray<JobEvent>): ReadonlyArray<JobEvent> =>
  events.some(({ event }) => event._tag === "SummaryProduced" && event.text !== "")
    ? events.map((happened) =>
        happened._tag === "Summary" && happened.event._tag === "SummaryProduced"
          ? JobEvent.cases.Summary.make({ event: { ...happened.event, text: "" } })
          : happened
      )
    : events

// How the old jobs of a workspace are gone through, page by page: first those of which no end is
// noted, then those that have ended, by what they hold. A look goes on behind what it has passed,
// so that no job that cannot go now holds up those behind it.

/** An instant of a job, and its id: places in the order of ends, or of acceptance. */
export interface Place {
  readonly at: DateTime.Utc
  readonly id: JobId
}

/** What is looked at next, behind a place. */
export interface RoundPlace {
  readonly stage: Holding
  readonly after: Option.Option<Place>
}

const stages: ReadonlyArray<Holding> = ["Media", "Transcript", "Nothing"]

/** The beginning of a look. */
export const firstPlace: RoundPlace = { stage: "Media", after: Option.none() }

/** Where a look goes on when nothing more is to be found in a stage; none at its end. */
export const nextStage = ({ stage }: RoundPlace): Option.Option<RoundPlace> =>
  Option.map(Option.fromUndefinedOr(stages[stages.indexOf(stage) + 1]), (next) => ({
    stage: next,
    after: Option.none()
  }))

/** Jobs that hold this and ended then or before are looked at; null for none of them. */
export const cutoffOf = (holding: Holding, cutoffs: Cutoffs): DateTime.Utc | null =>
  ({ Media: cutoffs.media, Transcript: cutoffs.transcript, Nothing: cutoffs.job })[holding]

/** Rows of a page, and rows that a transaction removes at most. */
export const pageMax = 100

/** What a step costs at most, in rows: a transaction then takes some ten milliseconds. */
const costMax = 100

/** Costs besides the row of the job: a commit is several statements, a file a call of its store. */
const costs = { None: 0, Job: 1, Events: 4, Media: 10 } as const satisfies Record<
  Expiry["_tag"],
  number
>

/** The transcript of two minutes is about 40 kB: as much as twenty rows without one. */
const minutesPerRow = 2

/** What it costs to do about a job what has to be done. */
export const costOf = ({ _tag }: Expiry, job: Job): number => {
  const { transcription } = job
  const hasText = _tag !== "None" && transcription._tag === "Transcribed" && !isClosed(job)
  const minutes = hasText ? Duration.toMinutes(transcription.durationMillis) : 0
  return costs[_tag] + minutes / minutesPerRow
}

/** The first of a page, as many as one step may cost, and one at least. */
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
