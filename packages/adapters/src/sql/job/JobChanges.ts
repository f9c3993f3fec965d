/**
 * Reads changes to jobs for all subscribers in one statement. The statement omits parts that no
 * subscriber requests.
 */
import type { JobId } from "@verbatim/core/attempt"
import { cursorBefore, type FeedCursor, JobEvent } from "@verbatim/core/job"
import type {
  ChangeEntry,
  Changes,
  ChangesQuery,
  FeedPage,
  FeedProgress,
  FeedQuery,
  JobChange
} from "@verbatim/core/ports"
import { progressMax } from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Option, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { json, makeTryReader, skipUnreadable } from "../row/Row.ts"
import type { RowReads } from "../row/RowStatements.ts"
import type { JobStatements } from "./JobStatements.ts"

type Sql = SqlClient.SqlClient

/** The parts of statements that differ between databases. */
type DialectParts = Pick<JobStatements, "feedEnd"> & Pick<RowReads, "fromJson" | "isAmong">

/**
 * A row in the result: the feed's end, a commit or deletion in the feed, a running job's progress,
 * or a watched job with one of its commits.
 */
interface Found {
  readonly kind: "Now" | "Entry" | "Gone" | "Progress" | "Job"
  /** The job's id. In the row for the end of the feed, this is the feed's id. */
  readonly job_id: string
  readonly workspace_id: string | null
  readonly ordinal: number | null
  readonly revision: number | null
  /**
   * The job's revision. In the row for the end of the feed, this is the ordinal of the last
   * deletion that is no longer stored.
   */
  readonly job_revision: number | null
  /** The job id, if the job has pending work. */
  readonly pending_job: string | null
  readonly progress: number | null
  readonly at: number | null
  readonly events: string | null
}

/** A result row that contains a commit, including the commit's revision and timestamp. */
type EntryRow = Found & { readonly revision: number; readonly at: number }

const isEntry = (row: Found): row is EntryRow => row.revision !== null && row.at !== null

const readEvents = makeTryReader(Schema.decodeUnknownResult(json(Schema.Array(JobEvent))))

/**
 * Reads a commit. If a commit cannot be read, it is reported without events, so that it does not
 * block other commits.
 */
const toEntry = ({ at, events, job_id, revision }: EntryRow): Effect.Effect<ChangeEntry> =>
  Effect.map(
    skipUnreadable(readEvents(events, `job_history ${job_id} ${revision}`), job_id),
    (read): ChangeEntry => ({ revision, at: DateTime.makeUnsafe(at), events: read })
  )

/** Reads the commit in a row. The row of a deletion contains no commit. */
const toCommit = (row: Found): Option.Option<Effect.Effect<ChangeEntry>> =>
  isEntry(row) ? Option.some(toEntry(row)) : Option.none()

const toChange = Effect.fnUntraced(function* (rows: ReadonlyArray<Found>) {
  const entries = rows.filter(isEntry).sort((one, other) => one.revision - other.revision)
  const change: JobChange = {
    revision: rows[0]?.job_revision ?? 0,
    hasPendingWork: typeof rows[0]?.pending_job === "string",
    progress: Option.map(Option.fromNullishOr(rows[0]?.progress), (share) => share / 1_000),
    entries: yield* Effect.forEach(entries, toEntry)
  }
  return change
})

/** The columns of a result row, with their types. Columns that a part does not set are null. */
const columnTypes = {
  job_id: "TEXT",
  workspace_id: "TEXT",
  ordinal: "BIGINT",
  revision: "BIGINT",
  job_revision: "BIGINT",
  pending_job: "TEXT",
  progress: "BIGINT",
  at: "BIGINT",
  events: "TEXT"
} as const satisfies Record<Exclude<keyof Found, "kind">, string>

type PartColumns = Partial<Record<keyof typeof columnTypes, Statement.Fragment | string>>

/** Builds the beginning of a part: the kind and the columns, in the same order for all parts. */
const select = (sql: Sql, kind: Found["kind"], expressions: PartColumns): Statement.Fragment => {
  const columns = Object.entries(columnTypes).map(([name, type]) => {
    const { [name as keyof PartColumns]: value = `CAST(NULL AS ${type})` } = expressions
    return sql`${typeof value === "string" ? sql.literal(value) : value} AS ${sql.literal(name)}`
  })
  return sql`SELECT ${sql.literal(`'${kind}'`)} AS kind, ${sql.csv(columns)}`
}

/**
 * Builds the part for watched jobs. If a job has no newer commit, the columns for a commit are
 * null.
 */
const jobRows = (sql: Sql, { fromJson }: DialectParts, jobs: ChangesQuery["jobs"]) => {
  const watched = fromJson(sql, {
    name: "watched",
    json: JSON.stringify(jobs.map(({ beyond, id }) => ({ job_id: id, beyond }))),
    columns: { job_id: "TEXT", beyond: "BIGINT" }
  })
  const columns = select(sql, "Job", {
    job_id: "verbatim_jobs.id",
    revision: "verbatim_job_history.revision",
    job_revision: "verbatim_jobs.revision",
    pending_job: "verbatim_work.job_id",
    progress: "CAST(verbatim_work.progress AS BIGINT)",
    at: "verbatim_job_history.at",
    events: "verbatim_job_history.events"
  })
  return sql`${columns}
    FROM ${watched} JOIN verbatim_jobs ON verbatim_jobs.id = watched.job_id
      LEFT JOIN verbatim_work ON verbatim_work.job_id = watched.job_id
      LEFT JOIN verbatim_job_history
        ON verbatim_job_history.job_id = watched.job_id
          AND verbatim_job_history.revision > watched.beyond`
}

/**
 * Builds the parts for the feed. For workspaces that are not requested, only positions are read,
 * because the next page begins after the last position.
 */
const feedRows = (
  sql: Sql,
  { feedEnd, isAmong }: DialectParts,
  { after, limit, withProgress, workspaceIds }: FeedQuery
): ReadonlyArray<Statement.Fragment> => {
  const end = { job_id: "mark", ordinal: feedEnd(sql), job_revision: "forgotten" }
  const now = sql`${select(sql, "Now", end)} FROM verbatim_job_feed`
  const isOwn = isAmong(sql, "workspace_id", workspaceIds)
  const made = sql`${select(sql, "Progress", {
    job_id: "job_id",
    workspace_id: "workspace_id",
    progress: "progress"
  })}
    FROM (SELECT job_id, workspace_id, CAST(progress AS BIGINT) AS progress FROM verbatim_work
      WHERE progress IS NOT NULL AND ${isOwn} LIMIT ${progressMax}) AS made`
  const always = withProgress ? [now, made] : [now]
  if (Option.isNone(after)) return always
  const { feedId, jobId, ordinal, revision } = after.value
  const cursor = { job_id: "found.job_id", ordinal: "found.ordinal", revision: "found.revision" }
  /** Selects a table's rows after the cursor. */
  const following = (table: string) => sql`(SELECT one.* FROM ${sql.literal(table)} AS one
      JOIN verbatim_job_feed ON verbatim_job_feed.mark = ${feedId}
      WHERE (one.ordinal, one.job_id, one.revision) > (${ordinal}, ${jobId}, ${revision})
        AND one.ordinal IS NOT NULL AND one.ordinal < ${feedEnd(sql)}
      ORDER BY one.ordinal, one.job_id, one.revision
      LIMIT ${limit + 1}) AS found`
  const entry = {
    ...cursor,
    workspace_id: "workspace_id",
    at: "found.at",
    events: sql`CASE WHEN ${isOwn} THEN found.events END`
  }
  const entries = sql`${select(sql, "Entry", entry)} FROM ${following("verbatim_job_history")}
    JOIN verbatim_jobs ON verbatim_jobs.id = found.job_id`
  const gone = select(sql, "Gone", { ...cursor, workspace_id: "found.workspace_id" })
  const deletions = sql`${gone} FROM ${following("verbatim_job_deletions")}`
  return [...always, entries, deletions]
}

const byCursor = (one: FeedCursor, other: FeedCursor): number => {
  if (one.ordinal !== other.ordinal) return one.ordinal - other.ordinal
  if (one.jobId !== other.jobId) return one.jobId < other.jobId ? -1 : 1
  return one.revision - other.revision
}

/** Whether the feed still has all entries after a cursor. */
const isKnown = (cursor: FeedCursor, now: FeedCursor, forgotten: number): boolean =>
  cursor.feedId === now.feedId &&
  // The end of the feed never moves back.
  cursor.ordinal <= now.ordinal &&
  // If discarded deletions have ordinals beyond the end of the feed, the ordinals come from another
  // server.
  (cursor.ordinal > forgotten || forgotten >= now.ordinal)

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

const toPage = Effect.fnUntraced(function* (
  rows: ReadonlyArray<Found>,
  { after, limit, workspaceIds }: FeedQuery
) {
  const [end] = rows.filter(({ kind }) => kind === "Now")
  const feedId = end?.job_id ?? ""
  const now = cursorBefore(feedId, end?.ordinal ?? 0)
  const nothing: FeedPage = {
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
      cursor: { feedId, ordinal: row.ordinal ?? 0, jobId: row.job_id, revision: row.revision ?? 0 }
    }))
    .sort((one, other) => byCursor(one.cursor, other.cursor))
  const sent = found.slice(0, limit)
  const entries = yield* Effect.forEach(
    sent.filter(({ row }) => workspaceIds.some((id) => id === row.workspace_id)),
    ({ cursor, row }) =>
      Effect.map(Effect.transposeOption(toCommit(row)), (entry) => ({
        jobId: row.job_id as JobId,
        workspaceId: row.workspace_id as WorkspaceId,
        cursor,
        entry
      }))
  )
  const hasMore = found.length > limit
  const through = hasMore ? (sent.at(-1)?.cursor ?? now) : now
  return { ...nothing, entries, through, hasMore }
})

/** Creates a function that reads changes for all subscribers. */
export const makeFindChanges = (sql: Sql, dialect: DialectParts) =>
  Effect.fnUntraced(function* ({
    feed,
    jobs
  }: ChangesQuery): Effect.fn.Return<Changes, SqlError.SqlError> {
    const parts = [
      ...Option.match(feed, {
        onNone: () => [],
        onSome: (query) => feedRows(sql, dialect, query)
      }),
      ...(jobs.length === 0 ? [] : [jobRows(sql, dialect, jobs)])
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
    const page = yield* Effect.transposeOption(Option.map(feed, (query) => toPage(rows, query)))
    return { jobs: new Map(changes), feed: page }
  })
