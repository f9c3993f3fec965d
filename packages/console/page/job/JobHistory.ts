/** Adds live events to a job's history and to the text recognised so far. */
import type { components } from "@verbatim/client"
import type { JobDetails } from "../jobs/JobTraits.ts"
import { formatCount } from "../ui/Words.ts"

export type History = components["schemas"]["JobHistory"]
export type JobEvent = History["events"][number]
export const isPiece = ({ event }: Pick<JobEvent, "event">): boolean => event === "piece_recognised"
export const revisionOf = ({ events }: History): number => events.at(-1)?.revision ?? 0

export const describePieces = (pieces: ReadonlyArray<JobEvent>): string => {
  const total = pieces.at(-1)?.pieces ?? 0
  // Earlier attempts may have cut the recording into a different number of pieces.
  const current = pieces.filter((event) => event.pieces === total)
  const done = new Set(current.map(({ piece }) => piece)).size
  const reused = pieces.filter((event) => event.reused === true).length
  const noun = total === 1 ? "piece" : "pieces"
  return `${formatCount(done)} of ${formatCount(total)} ${noun} recognised${
    reused === 0 ? "" : `, ${formatCount(reused)} of them reused`
  }`
}

type Entry = NonNullable<JobDetails["partial_output"]>["list"][number]
export type PieceEvent = JobEvent & { readonly segments?: ReadonlyArray<Omit<Entry, "speaker">> }
export type LoadedJob = Readonly<{ job: JobDetails; history: History }>

/** Adds events about recognised pieces. Known events are ignored. */
export const addPieces = ({ history, job }: LoadedJob, pieces: ReadonlyArray<PieceEvent>) => {
  let known = revisionOf(history)
  // Events arrive in order, and a new subscription sends some of them again.
  const added = pieces.filter(({ revision }) => {
    const isNew = revision > known
    if (isNew) known = revision
    return isNew
  })
  const partial = job.partial_output
  const list = [...(partial?.list ?? [])]
  for (const { segments = [] } of added) {
    const from = Number(segments[0]?.start ?? Number.POSITIVE_INFINITY)
    // An event's text replaces all text after the event's start time.
    while (Number(list.at(-1)?.start ?? Number.NEGATIVE_INFINITY) >= from) list.pop()
    list.push(...segments.map((segment) => ({ ...segment, speaker: "" })))
  }
  return {
    history: { ...history, events: [...history.events, ...added] },
    job: partial === undefined ? job : { ...job, partial_output: { ...partial, list } }
  }
}
