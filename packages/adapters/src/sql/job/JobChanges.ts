/**
 * What happened to jobs since others looked: one statement for everybody who listens, of which each
 * part costs nothing where it is not asked for.
 */
import type { JobId } from "@verbatim/core/attempt"
import { type FeedPlace, JobEvent, placeBefore } from "@verbatim/core/job"
import type {
  ChangeEntry,
  Changes,
  ChangesQuery,
  FeedProgress,
  FeedQuery,
  FeedStretch,
  JobChange
} from "@verbatim/core/ports"
import { progressMax } from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Option, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { json, orNone, tryReading } from "../row/Row.ts"
import type { RowReads } from "../row/RowReads.ts"
import type { JobStatements } from "./JobStatements.ts"

type Sql = SqlClient.SqlClient

/** What databases say differently. */
interface Words {
  readonly feedEnd: JobStatements["feedEnd"]
  /** Rows that are a parameter, to join with. */
  readonly fromJson: (
    sql: Sql,
    rows: {
      readonly name: string
      readonly json: string
      readonly columns: Readonly<Record<string, "BIGINT" | "TEXT">>
    }
  ) => Statement.Fragment
  readonly isAmong: RowReads["isAmong"]
}

/**
 * Where the feed is now, a commit in it, a deletion in it, the progress of a job at work, or a job
 * with one of its commits.
 */
interface Found {
  readonly kind: "Now" | "Entry" | "Gone" | "Progress" | "Job"
  /** The mark of the feed where it is now. */
  readonly job_id: string
  readonly workspace_id: string | null
  readonly ordinal: number | null
  readonly revision: number | null
  /** That of the job; where the feed is now, the ordinal up to which deletions are forgotten. */
  readonly job_revision: number | null
  /** The job, where it owes work. */
  readonly owing: string | null
  readonly progress: number | null
  readonly at: number | null
  readonly events: string | null
}

/** A row of a commit. */
type EntryRow = Found & { readonly revision: number; readonly at: number }

const isEntry = (row: Found): row is EntryRow => row.revision !== null && row.at !== null

const readEvents = tryReading(Schema.decodeUnknownResult(json(Schema.Array(JobEvent))))

/** A row that cannot be read is nobody else's trouble: it is told without its events. */
const toEntry = ({ at, events, job_id, revision }: EntryRow): Effect.Effect<ChangeEntry> =>
  Effect.map(
    orNone(readEvents(events, `job_history ${job_id} ${revision}`), job_id),
    (read): ChangeEntry => ({ revision, at: DateTime.makeUnsafe(at), events: read })
  )

/** None of a deletion. */
const toCommit = (row: Found): Option.Option<Effect.Effect<ChangeEntry>> =>
  isEntry(row) ? Option.some(toEntry(row)) : Option.none()

const toChange = Effect.fnUntraced(function* (rows: ReadonlyArray<Found>) {
  const entries = rows.filter(isEntry).sort((one, other) => one.revision - other.revision)
  const change: JobChange = {
    revision: rows[0]?.job_revision ?? 0,
    owesWork: typeof rows[0]?.owing === "string",
    progress: Option.map(Option.fromNullishOr(rows[0]?.progress), (share) => share / 1_000),
    entries: yield* Effect.forEach(entries, toEntry)
  }
  return change
})

/** Where there is no commit, its columns are null. */
const jobRows = (sql: Sql, { fromJson }: Words, jobs: ChangesQuery["jobs"]) => {
  const watched = fromJson(sql, {
    name: "watched",
    json: JSON.stringify(jobs.map(({ beyond, id }) => ({ job_id: id, beyond }))),
    columns: { job_id: "TEXT", beyond: "BIGINT" }
  })
  return sql`SELECT 'Job' AS kind, verbatim_jobs.id AS job_id, CAST(NULL AS TEXT) AS workspace_id,
      CAST(NULL AS BIGINT) AS ordinal, verbatim_job_history.revision AS revision,
      verbatim_jobs.revision AS job_revision, verbatim_work.job_id AS owing,
      CAST(verbatim_work.progress AS BIGINT) AS progress,
      verbatim_job_history.at AS at, verbatim_job_history.events AS events
    FROM ${watched} JOIN verbatim_jobs ON verbatim_jobs.id = watched.job_id
      LEFT JOIN verbatim_work ON verbatim_work.job_id = watched.job_id
      LEFT JOIN verbatim_job_history
        ON verbatim_job_history.job_id = watched.job_id
          AND verbatim_job_history.revision > watched.beyond`
}

/** Of workspaces that are not asked for, only the places are read: the next page is after them. */
const feedRows = (
  sql: Sql,
  { feedEnd, isAmong }: Words,
  { after, limit, withProgress, workspaceIds }: FeedQuery
): ReadonlyArray<Statement.Fragment> => {
  const now = sql`SELECT 'Now' AS kind, mark AS job_id, CAST(NULL AS TEXT) AS workspace_id,
      ${feedEnd(sql)} AS ordinal, CAST(NULL AS BIGINT) AS revision,
      forgotten AS job_revision, CAST(NULL AS TEXT) AS owing,
      CAST(NULL AS BIGINT) AS progress, CAST(NULL AS BIGINT) AS at, CAST(NULL AS TEXT) AS events
    FROM verbatim_job_feed`
  const isOwn = isAmong(sql, "workspace_id", workspaceIds)
  const made = sql`SELECT 'Progress' AS kind, job_id, workspace_id,
      CAST(NULL AS BIGINT) AS ordinal, CAST(NULL AS BIGINT) AS revision,
      CAST(NULL AS BIGINT) AS job_revision, CAST(NULL AS TEXT) AS owing,
      progress, CAST(NULL AS BIGINT) AS at, CAST(NULL AS TEXT) AS events
    FROM (SELECT job_id, workspace_id, CAST(progress AS BIGINT) AS progress FROM verbatim_work
      WHERE progress IS NOT NULL AND ${isOwn} LIMIT ${progressMax}) AS made`
  const always = withProgress ? [now, made] : [now]
  if (Option.isNone(after)) return always
  const { jobId, mark, ordinal, revision } = after.value
  const entries = sql`SELECT 'Entry' AS kind, found.job_id AS job_id, workspace_id,
      found.ordinal AS ordinal, found.revision AS revision, CAST(NULL AS BIGINT) AS job_revision,
      CAST(NULL AS TEXT) AS owing, CAST(NULL AS BIGINT) AS progress, found.at AS at,
      CASE WHEN ${isOwn} THEN found.events END AS events
    FROM (SELECT history.* FROM verbatim_job_history AS history
      JOIN verbatim_job_feed ON verbatim_job_feed.mark = ${mark}
      WHERE (history.ordinal, history.job_id, history.revision)
          > (${ordinal}, ${jobId}, ${revision})
        AND history.ordinal IS NOT NULL AND history.ordinal < ${feedEnd(sql)}
      ORDER BY history.ordinal, history.job_id, history.revision
      LIMIT ${limit + 1}) AS found
    JOIN verbatim_jobs ON verbatim_jobs.id = found.job_id`
  const deletions = sql`SELECT 'Gone' AS kind, gone.job_id AS job_id, gone.workspace_id,
      gone.ordinal AS ordinal, gone.revision AS revision, CAST(NULL AS BIGINT) AS job_revision,
      CAST(NULL AS TEXT) AS owing, CAST(NULL AS BIGINT) AS progress, CAST(NULL AS BIGINT) AS at,
      CAST(NULL AS TEXT) AS events
    FROM (SELECT deleted.* FROM verbatim_job_deletions AS deleted
      JOIN verbatim_job_feed ON verbatim_job_feed.mark = ${mark}
      WHERE (deleted.ordinal, deleted.job_id, deleted.revision)
          > (${ordinal}, ${jobId}, ${revision})
        AND deleted.ordinal < ${feedEnd(sql)}
      ORDER BY deleted.ordinal, deleted.job_id, deleted.revision
      LIMIT ${limit + 1}) AS gone`
  return [...always, entries, deletions]
}

const byPlace = (one: FeedPlace, other: FeedPlace): number => {
  if (one.ordinal !== other.ordinal) return one.ordinal - other.ordinal
  if (one.jobId !== other.jobId) return one.jobId < other.jobId ? -1 : 1
  return one.revision - other.revision
}

/** Whether the feed still knows everything behind a place. */
const isKnown = (place: FeedPlace, now: FeedPlace, forgotten: number): boolean =>
  place.mark === now.mark &&
  // The end may stand still, but never goes back.
  place.ordinal <= now.ordinal &&
  // Where what was forgotten lies beyond the end, the numbers are those of another server.
  (place.ordinal > forgotten || forgotten >= now.ordinal)

const toProgress = (rows: ReadonlyArray<Found>): ReadonlyArray<FeedProgress> =>
  rows.flatMap(({ job_id, kind, progress, workspace_id }) =>
    kind === "Progress"
      ? [
          {
            jobId: job_id as JobId,
            workspaceId: workspace_id as WorkspaceId,
            progress: (progress ?? 0) / 1_000
          }
        ]
      : []
  )

const toStretch = Effect.fnUntraced(function* (
  rows: ReadonlyArray<Found>,
  { after, limit, workspaceIds }: FeedQuery
) {
  const [end] = rows.filter(({ kind }) => kind === "Now")
  const mark = end?.job_id ?? ""
  const now = placeBefore(mark, end?.ordinal ?? 0)
  const nothing: FeedStretch = {
    entries: [],
    through: now,
    hasMore: false,
    isContinued: true,
    progress: toProgress(rows)
  }
  if (Option.isNone(after)) return nothing
  if (!isKnown(after.value, now, end?.job_revision ?? 0)) return { ...nothing, isContinued: false }
  const found = rows
    .filter((row) => row.kind === "Gone" || (row.kind === "Entry" && isEntry(row)))
    .map((row) => ({
      row,
      place: { mark, ordinal: row.ordinal ?? 0, jobId: row.job_id, revision: row.revision ?? 0 }
    }))
    .sort((one, other) => byPlace(one.place, other.place))
  const told = found.slice(0, limit)
  const entries = yield* Effect.forEach(
    told.filter(({ row }) => workspaceIds.some((id) => id === row.workspace_id)),
    ({ place, row }) =>
      Effect.map(Effect.transposeOption(toCommit(row)), (entry) => ({
        jobId: row.job_id as JobId,
        workspaceId: row.workspace_id as WorkspaceId,
        place,
        entry
      }))
  )
  const hasMore = found.length > limit
  const through = hasMore ? (told.at(-1)?.place ?? now) : now
  return { ...nothing, entries, through, hasMore }
})

/** Answers everybody at once. */
export const makeFindChanges = (sql: Sql, words: Words) =>
  Effect.fnUntraced(function* ({
    feed,
    jobs
  }: ChangesQuery): Effect.fn.Return<Changes, SqlError.SqlError> {
    const parts = [
      ...Option.match(feed, {
        onNone: () => [],
        onSome: (query) => feedRows(sql, words, query)
      }),
      ...(jobs.length === 0 ? [] : [jobRows(sql, words, jobs)])
    ]
    if (parts.length === 0) return { jobs: new Map(), feed: Option.none() }
    const rows = yield* sql<Found>`${sql.join(" UNION ALL ", false)(parts)}`
    const ofJobs = Map.groupBy(
      rows.filter(({ kind }) => kind === "Job"),
      ({ job_id }) => job_id as JobId
    )
    const changes = yield* Effect.forEach(ofJobs, ([id, own]) =>
      Effect.map(toChange(own), (change) => [id, change] as const)
    )
    const stretch = yield* Effect.transposeOption(
      Option.map(feed, (query) => toStretch(rows, query))
    )
    return { jobs: new Map(changes), feed: stretch }
  })
