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
  FeedQuery,
  FeedStretch,
  JobChange
} from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Option, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { json, orNone, tryReading } from "../row/Row.ts"
import type { Statements } from "../Statements.ts"

type Sql = SqlClient.SqlClient

/** Where the feed is now, a commit in it, or a job with one of its commits. */
interface Found {
  readonly kind: "Now" | "Entry" | "Job"
  /** The mark of the feed where it is now. */
  readonly job_id: string
  readonly workspace_id: string | null
  readonly ordinal: number | null
  readonly revision: number | null
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
const jobRows = (sql: Sql, { schema }: Statements["Service"], jobs: ChangesQuery["jobs"]) => {
  const watched = schema.fromJson(sql, {
    name: "watched",
    json: JSON.stringify(jobs.map(({ beyond, id }) => ({ job_id: id, beyond }))),
    columns: { job_id: "TEXT", beyond: "BIGINT" }
  })
  return sql`SELECT 'Job' AS kind, jobs.id AS job_id, CAST(NULL AS TEXT) AS workspace_id,
      CAST(NULL AS BIGINT) AS ordinal, job_history.revision AS revision,
      jobs.revision AS job_revision, work.job_id AS owing, CAST(work.progress AS BIGINT) AS progress,
      job_history.at AS at, job_history.events AS events
    FROM ${watched} JOIN jobs ON jobs.id = watched.job_id
      LEFT JOIN work ON work.job_id = watched.job_id
      LEFT JOIN job_history
        ON job_history.job_id = watched.job_id AND job_history.revision > watched.beyond`
}

/** Of workspaces that are not asked for, only the places are read: the next page is after them. */
const feedRows = (
  sql: Sql,
  { jobs: { feedEnd }, reads }: Statements["Service"],
  { after, limit, workspaceIds }: FeedQuery
): ReadonlyArray<Statement.Fragment> => {
  const now = sql`SELECT 'Now' AS kind, mark AS job_id, CAST(NULL AS TEXT) AS workspace_id,
      ${feedEnd(sql)} AS ordinal, CAST(NULL AS BIGINT) AS revision,
      CAST(NULL AS BIGINT) AS job_revision, CAST(NULL AS TEXT) AS owing,
      CAST(NULL AS BIGINT) AS progress, CAST(NULL AS BIGINT) AS at, CAST(NULL AS TEXT) AS events
    FROM job_feed`
  if (Option.isNone(after)) return [now]
  const { jobId, mark, ordinal, revision } = after.value
  const entries = sql`SELECT 'Entry' AS kind, found.job_id AS job_id, workspace_id,
      found.ordinal AS ordinal, found.revision AS revision, CAST(NULL AS BIGINT) AS job_revision,
      CAST(NULL AS TEXT) AS owing, CAST(NULL AS BIGINT) AS progress, found.at AS at,
      CASE WHEN ${reads.isAmong(sql, "workspace_id", workspaceIds)} THEN found.events END AS events
    FROM (SELECT job_history.job_id, job_history.revision, job_history.at, job_history.events,
        job_history.ordinal
      FROM job_history JOIN job_feed ON job_feed.mark = ${mark}
      WHERE (job_history.ordinal, job_history.job_id, job_history.revision)
          > (${ordinal}, ${jobId}, ${revision})
        AND job_history.ordinal IS NOT NULL AND job_history.ordinal < ${feedEnd(sql)}
      ORDER BY job_history.ordinal, job_history.job_id, job_history.revision
      LIMIT ${limit + 1}) AS found
    JOIN jobs ON jobs.id = found.job_id`
  return [now, entries]
}

const byPlace = (one: FeedPlace, other: FeedPlace): number => {
  if (one.ordinal !== other.ordinal) return one.ordinal - other.ordinal
  if (one.jobId !== other.jobId) return one.jobId < other.jobId ? -1 : 1
  return one.revision - other.revision
}

const toStretch = Effect.fnUntraced(function* (
  rows: ReadonlyArray<Found>,
  { after, limit, workspaceIds }: FeedQuery
) {
  const [end] = rows.filter(({ kind }) => kind === "Now")
  const [mark, last] = [end?.job_id ?? "", end?.ordinal ?? 0]
  const now = placeBefore(mark, last)
  const nothing: FeedStretch = { entries: [], through: now, hasMore: false, isContinued: true }
  if (Option.isNone(after)) return nothing
  // The end may stand still, but never goes back.
  if (after.value.mark !== mark || after.value.ordinal > last) {
    return { ...nothing, isContinued: false }
  }
  const found = rows
    .filter(({ kind }) => kind === "Entry")
    .filter(isEntry)
    .map((row) => ({
      row,
      place: { mark, ordinal: row.ordinal ?? 0, jobId: row.job_id, revision: row.revision }
    }))
    .sort((one, other) => byPlace(one.place, other.place))
  const told = found.slice(0, limit)
  const entries = yield* Effect.forEach(
    told.filter(({ row }) => workspaceIds.some((id) => id === row.workspace_id)),
    ({ place, row }) =>
      Effect.map(toEntry(row), (entry) => ({
        jobId: row.job_id as JobId,
        workspaceId: row.workspace_id as WorkspaceId,
        place,
        entry
      }))
  )
  const hasMore = found.length > limit
  const through = hasMore ? (told.at(-1)?.place ?? now) : now
  const stretch: FeedStretch = { entries, through, hasMore, isContinued: true }
  return stretch
})

/** Answers everybody at once. */
export const makeFindChanges = (sql: Sql, statements: Statements["Service"]) =>
  Effect.fnUntraced(function* ({
    feed,
    jobs
  }: ChangesQuery): Effect.fn.Return<Changes, SqlError.SqlError> {
    const parts = [
      ...Option.match(feed, {
        onNone: () => [],
        onSome: (query) => feedRows(sql, statements, query)
      }),
      ...(jobs.length === 0 ? [] : [jobRows(sql, statements, jobs)])
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
