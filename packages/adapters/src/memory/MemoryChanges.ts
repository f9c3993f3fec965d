/** Records changes to jobs in memory. Commits are serial, and each has an ordinal. */
import type { JobId } from "@verbatim/core/attempt"
import { cursorBefore, type FeedCursor, isAfter, type Job } from "@verbatim/core/job"
import {
  type ChangeEntry,
  type Changes,
  type ChangesQuery,
  deletionRetention,
  type FeedEntry,
  type FeedPage,
  type FeedQuery,
  type HistoryEntry,
  type JobChange,
  progressMax
} from "@verbatim/core/ports"
import { DateTime, Option } from "effect"
import type { DeletionRow, FeedRow, Tables } from "./MemoryDatabase.ts"

/** The id of the change feed, which stays the same until the process exits. */
type FeedId = FeedCursor["feedId"]

/** Returns the last ordinal. Commits and deletions share one sequence of ordinals. */
const lastOrdinal = ({ deletions, feed }: Tables): number =>
  Math.max(deletions.forgotten, feed.at(-1)?.ordinal ?? 0, deletions.rows.at(-1)?.ordinal ?? 0)

/** Adds a new revision of a job to the feed. */
export const append = (tables: Tables, jobId: JobId, revision: number): void => {
  tables.feed.push({ ordinal: lastOrdinal(tables) + 1, jobId, revision })
}

/** Drops deletions that are older than the retention period. */
const forgetOld = ({ deletions }: Tables, now: DateTime.Utc): void => {
  const oldest = DateTime.subtractDuration(now, deletionRetention)
  for (let row = deletions.rows[0]; row !== undefined; row = deletions.rows[0]) {
    if (DateTime.isGreaterThan(row.at, oldest)) return
    deletions.rows.shift()
    deletions.forgotten = row.ordinal
  }
}

/** Deletes a job with its pending work, and adds the deletion to the feed. */
export const removeJob = (tables: Tables, { id, revision, workspaceId }: Job, at: DateTime.Utc) => {
  tables.jobs.delete(id)
  tables.work.delete(id)
  tables.deletions.rows.push({
    ordinal: lastOrdinal(tables) + 1,
    jobId: id,
    revision: revision + 1,
    workspaceId,
    at
  })
  // Old deletions are also dropped here, because a store without subscribers would otherwise never
  // drop them.
  forgetOld(tables, at)
  tables.feed = tables.feed.filter(({ jobId }) => jobId !== id)
}

const toEntry = ({ at, events, revision }: HistoryEntry): ChangeEntry => ({
  revision,
  at,
  events: Option.some(events)
})

const jobChange = ({ jobs, work }: Tables, id: JobId, beyond: number): Option.Option<JobChange> =>
  Option.map(Option.fromUndefinedOr(jobs.get(id)), ({ history, job }) => ({
    revision: job.revision,
    hasPendingWork: work.has(id),
    progress: Option.fromUndefinedOr(work.get(id)?.lease?.progress),
    entries: history.filter(({ revision }) => revision > beyond).map(toEntry)
  }))

/** Returns a list's rows after a cursor. */
const rowsAfter = <Row extends FeedRow>(
  list: ReadonlyArray<Row>,
  cursor: FeedCursor
): ReadonlyArray<Row> => {
  let from = list.length
  for (let row = list[from - 1]; row !== undefined; row = list[from - 1]) {
    if (!isAfter({ feedId: cursor.feedId, ...row }, cursor)) break
    from -= 1
  }
  return list.slice(from)
}

/** Returns the entry for a feed row, or nothing if the job was deleted. */
const toFeedEntries = (
  { jobs }: Tables,
  row: FeedRow | DeletionRow,
  feedId: FeedId
): ReadonlyArray<FeedEntry> => {
  const { jobId, ordinal, revision } = row
  const cursor = { feedId, ordinal, jobId, revision }
  if ("at" in row) return [{ jobId, workspaceId: row.workspaceId, cursor, entry: Option.none() }]
  const found = jobs.get(jobId)
  const entry = found?.history[revision - 1]
  if (found === undefined || entry === undefined) return []
  const { workspaceId } = found.job
  return [{ jobId, workspaceId, cursor, entry: Option.some(toEntry(entry)) }]
}

const progressOf = ({ work }: Tables, { withProgress, workspaceIds }: FeedQuery) =>
  withProgress
    ? [...work.values()]
        .flatMap(({ jobId, lease, work: { workspaceId } }) => {
          const progress = lease?.progress
          return progress === undefined || !workspaceIds.includes(workspaceId)
            ? []
            : [{ jobId, workspaceId, progress }]
        })
        .slice(0, progressMax)
    : []

const readFeed = (tables: Tables, feedId: FeedId, query: FeedQuery): FeedPage => {
  const { after, limit, workspaceIds } = query
  const now = cursorBefore(feedId, lastOrdinal(tables) + 1)
  const nothing: FeedPage = {
    entries: [],
    through: now,
    hasMore: false,
    isContinued: true,
    progress: progressOf(tables, query)
  }
  if (Option.isNone(after)) return nothing
  const { forgotten } = tables.deletions
  const { ordinal } = after.value
  if (after.value.feedId !== feedId || ordinal > now.ordinal || ordinal <= forgotten) {
    return { ...nothing, isContinued: false }
  }
  const found: ReadonlyArray<FeedRow | DeletionRow> = [
    ...rowsAfter(tables.feed, after.value),
    ...rowsAfter(tables.deletions.rows, after.value)
  ].sort((one, other) => one.ordinal - other.ordinal)
  const rows = found.slice(0, limit)
  const entries = rows
    .flatMap((row) => toFeedEntries(tables, row, feedId))
    .filter(({ workspaceId }) => workspaceIds.includes(workspaceId))
  const last = rows.at(-1)
  const hasMore = found.length > limit && last !== undefined
  const through = hasMore
    ? { feedId, ordinal: last.ordinal, jobId: last.jobId, revision: last.revision }
    : now
  return { ...nothing, entries, through, hasMore }
}

/** A subscriber's request for changes, with the feed's id and the current time. */
interface ChangesRequest {
  readonly feedId: FeedId
  readonly query: ChangesQuery
  readonly now: DateTime.Utc
}

/** Finds the changes for all subscribers. */
export const findChanges = (
  tables: Tables,
  { feedId, now, query: { feed, jobs } }: ChangesRequest
): Changes => {
  forgetOld(tables, now)
  return {
    jobs: new Map(
      jobs.flatMap(({ beyond, id }) =>
        Option.toArray(Option.map(jobChange(tables, id, beyond), (change) => [id, change] as const))
      )
    ),
    feed: Option.map(feed, (query) => readFeed(tables, feedId, query))
  }
}
