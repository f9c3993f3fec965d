/** What happened to jobs in the memory of the process. Commits are serial: each has an ordinal. */
import type { JobId } from "@verbatim/core/attempt"
import { type FeedPlace, isAfter, placeBefore } from "@verbatim/core/job"
import type {
  ChangeEntry,
  Changes,
  ChangesQuery,
  FeedQuery,
  FeedStretch,
  HistoryEntry,
  JobChange
} from "@verbatim/core/ports"
import { Option } from "effect"
import type { FeedRow, Tables } from "./MemoryDatabase.ts"

/** The feed of a process ends with it. */
export type Mark = FeedPlace["mark"]

/** Writes that a job has a new revision. */
export const append = ({ feed }: Tables, jobId: JobId, revision: number): void => {
  feed.push({ ordinal: (feed.at(-1)?.ordinal ?? 0) + 1, jobId, revision })
}

const toEntry = ({ at, events, revision }: HistoryEntry): ChangeEntry => ({
  revision,
  at,
  events: Option.some(events)
})

const jobChange = ({ jobs, work }: Tables, id: JobId, beyond: number): Option.Option<JobChange> =>
  Option.map(Option.fromUndefinedOr(jobs.get(id)), ({ history, job }) => ({
    revision: job.revision,
    owesWork: work.has(id),
    progress: Option.fromUndefinedOr(work.get(id)?.lease?.progress),
    entries: history.filter(({ revision }) => revision > beyond).map(toEntry)
  }))

/** How many rows at the end of the feed come after a place. */
const countAfter = (feed: ReadonlyArray<FeedRow>, place: FeedPlace): number => {
  let count = 0
  let row = feed.at(-1)
  while (row !== undefined && isAfter({ mark: place.mark, ...row }, place)) {
    count += 1
    row = feed[feed.length - 1 - count]
  }
  return count
}

const stretch = (
  { feed, jobs }: Tables,
  mark: Mark,
  { after, limit, workspaceIds }: FeedQuery
): FeedStretch => {
  const now = placeBefore(mark, (feed.at(-1)?.ordinal ?? 0) + 1)
  if (Option.isNone(after)) return { entries: [], through: now, hasMore: false, isContinued: true }
  if (after.value.mark !== mark || after.value.ordinal > now.ordinal) {
    return { entries: [], through: now, hasMore: false, isContinued: false }
  }
  const count = countAfter(feed, after.value)
  const rows = feed.slice(feed.length - count).slice(0, limit)
  const entries = rows.flatMap((row) => {
    const found = jobs.get(row.jobId)
    const entry = found?.history[row.revision - 1]
    if (found === undefined || entry === undefined) return []
    const { workspaceId } = found.job
    if (!workspaceIds.includes(workspaceId)) return []
    return [{ jobId: row.jobId, workspaceId, place: { mark, ...row }, entry: toEntry(entry) }]
  })
  const last = rows.at(-1)
  const hasMore = count > limit && last !== undefined
  return { entries, through: hasMore ? { mark, ...last } : now, hasMore, isContinued: true }
}

/** Answers everybody at once. */
export const findChanges = (tables: Tables, mark: Mark, { feed, jobs }: ChangesQuery): Changes => ({
  jobs: new Map(
    jobs.flatMap(({ beyond, id }) =>
      Option.toArray(Option.map(jobChange(tables, id, beyond), (change) => [id, change] as const))
    )
  ),
  feed: Option.map(feed, (query) => stretch(tables, mark, query))
})
