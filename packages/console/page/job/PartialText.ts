/**
 * The text of a job while it is recognised: read once with the job, then kept current by live
 * events.
 */
import type { JobDetails } from "../jobs/JobTraits.ts"
import { type History, type JobEvent, revisionOf } from "./JobHistory.ts"

type Entry = NonNullable<JobDetails["partial_output"]>["list"][number]

/** A segment in an event, which names no speaker. */
export type HeardSegment = Omit<Entry, "speaker">

/** A live event of a job, with the text that became readable. */
export type PieceEvent = JobEvent & { readonly segments?: ReadonlyArray<HeardSegment> }

/** A job with its history. */
export interface LoadedJob {
  readonly job: JobDetails
  readonly history: History
}

/** Adds events about pieces, in order. Events that are known are ignored. */
export const addPieces = (
  { history, job }: LoadedJob,
  pieces: ReadonlyArray<PieceEvent>
): LoadedJob => {
  const known = revisionOf(history)
  const added = pieces.filter(({ revision }) => revision > known)
  const list = [...(job.partial_output?.list ?? [])]
  for (const { segments = [] } of added) {
    const from = Number(segments[0]?.start ?? Number.POSITIVE_INFINITY)
    // The text of an event replaces all text from its start on.
    while (Number(list.at(-1)?.start ?? Number.NEGATIVE_INFINITY) >= from) list.pop()
    list.push(...segments.map((segment) => ({ ...segment, speaker: "" })))
  }
  const partial = job.partial_output
  return {
    history: {
      ...history,
      events: [...history.events, ...added.map(({ segments: _, ...event }) => event)]
    },
    job: partial === undefined ? job : { ...job, partial_output: { ...partial, list } }
  }
}
