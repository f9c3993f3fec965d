/**
 * How the old jobs of a workspace are gone through, page by page: first those of which no end is
 * noted, then those that have ended, by what they hold. A look goes on behind what it has passed,
 * so that no job that cannot go now holds up those behind it.
 */
import { type DateTime, Duration, Option } from "effect"
import type { JobId } from "../attempt/JobId.ts"
import type { Cutoffs, Expiry, Holding } from "./Expiry.ts"
import { isClosed, type Job } from "./Job.ts"

/** An instant of a job, and its id: places in the order of ends, or of acceptance. */
export interface Place {
  readonly at: DateTime.Utc
  readonly id: JobId
}

/** What is looked at next, behind a place. */
export interface RoundPlace {
  readonly stage: Stage
  readonly after: Option.Option<Place>
}

/** Jobs without a noted end, or those that hold this. */
type Stage = Holding | "Unnoted"

const stages: ReadonlyArray<Stage> = ["Unnoted", "Media", "Transcript", "Nothing"]

/** The beginning of a look. */
export const firstPlace: RoundPlace = { stage: "Unnoted", after: Option.none() }

/** Where a look goes on when nothing more is to be found in a stage; none at its end. */
export const nextStage = ({ stage }: RoundPlace): Option.Option<RoundPlace> =>
  Option.map(Option.fromUndefinedOr(stages[stages.indexOf(stage) + 1]), (next) => ({
    stage: next,
    after: Option.none()
  }))

/** Jobs that hold this and ended then or before are looked at; null for none of them. */
export const cutoffOf = (holding: Holding, cutoffs: Cutoffs): DateTime.Utc | null =>
  ({ Media: cutoffs.media, Transcript: cutoffs.transcript, Nothing: cutoffs.job })[holding]

/**
 * A job is hardly under way for longer: from this age on, one whose end is not noted is looked at.
 * No rule is shorter.
 */
export const unnotedAge: Duration.Duration = Duration.days(1)

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
