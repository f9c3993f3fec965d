/** Finds, lists and deletes jobs in tables that may contain rows of a newer version. */
import type { JobId } from "@verbatim/core/attempt"
import { idRange, type Job, type JobQuery, type LegacyStatus } from "@verbatim/core/job"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Option } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { skipUnreadable } from "../row/Row.ts"
import type { RowReads } from "../row/RowStatements.ts"
import { type DeletionStatements, deleteJobs } from "./DeletionRows.ts"
import { jobFormat, readJob, tooNew } from "./JobRows.ts"
import type { JobStatements } from "./JobStatements.ts"
import { hasWords, indexedWords } from "./SearchRows.ts"

/**
 * Maximum number of jobs found through the word index and then read by id, which takes 10 ms. If
 * more jobs contain the words, each job's words are read, starting with the newest job, until a
 * page is full. Among 100,000 jobs, at least one in 20 then contains the words, so a page of 50
 * also takes about 10 ms.
 */
const foundMax = 5_000

interface JobRow {
  readonly id: JobId
  readonly format: number
  readonly state: string
}

/**
 * Maximum number of queries for one list. More queries are needed only to replace rows that cannot
 * be read, and only a damaged database has such rows.
 */
const queriesMax = 10

const millis = DateTime.toEpochMillis

/** The range of ids in a page: `from` is included, `below` is not. */
interface IdRange {
  readonly from: string | undefined
  readonly below: string | undefined
}

/**
 * Returns the condition and order for jobs with a status or a cause. Both match the indexes that
 * contain the column: one for a workspace, and one for all workspaces. Otherwise, if most jobs have
 * the same status, the generic plan would scan all jobs by id. A search without a result among
 * 200,000 jobs would then take 615 ms instead of 0.1 ms.
 */
const withEqual = (
  sql: SqlClient.SqlClient,
  [column, value]: readonly ["cause" | "status", string],
  { below, from }: IdRange
) => {
  const name = sql.literal(column)
  return {
    isOnPage: [
      from === undefined ? sql`${name} >= ${value}` : sql`(${name}, id) >= (${value}, ${from})`,
      below === undefined ? sql`${name} <= ${value}` : sql`(${name}, id) < (${value}, ${below})`
    ],
    order: sql`${name} DESC, id DESC`
  }
}

const withId = (sql: SqlClient.SqlClient, { below, from }: IdRange) => ({
  isOnPage: [
    ...(from === undefined ? [] : [sql`id >= ${from}`]),
    ...(below === undefined ? [] : [sql`id < ${below}`])
  ],
  order: sql`id DESC`
})

/**
 * Returns the condition and order for a page. If a cause is given, the status of each job is
 * compared.
 */
const byIndex = (sql: SqlClient.SqlClient, { cause, status }: JobQuery, ids: IdRange) => {
  const wanted = Option.getOrUndefined(status)
  if (cause === undefined) {
    return wanted === undefined ? withId(sql, ids) : withEqual(sql, ["status", wanted], ids)
  }
  const { isOnPage, order } = withEqual(sql, ["cause", cause], ids)
  // With `status = …`, SQLite would choose the index by status.
  const hasStatus = wanted === undefined ? [] : [sql`NOT (status <> ${wanted})`]
  return { isOnPage: [sql`cause <> ''`, ...isOnPage, ...hasStatus], order }
}

/**
 * Returns the condition for the workspace. For jobs with a status or a cause, it selects one of the
 * two indexes.
 */
const ofWorkspace = (sql: SqlClient.SqlClient, { cause, status, workspaceId }: JobQuery) => {
  if (workspaceId !== null) return [sql`workspace_id = ${workspaceId}`]
  return Option.isNone(status) && cause === undefined ? [] : [sql`workspace_id <> ''`]
}

/** Returns the lower of two ids, or the defined one if there is only one. */
const lower = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one

interface ListStatements {
  readonly jobs: Pick<JobStatements, "findByWords">
  readonly reads: Pick<RowReads, "isAmong">
}

interface FoundRow {
  readonly job_id: string
}

/** Returns a function that builds the condition for jobs with certain words. */
const makeSearch = (sql: SqlClient.SqlClient, { jobs, reads }: ListStatements) =>
  Effect.fnUntraced(function* ({ words, workspaceId }: JobQuery) {
    if (words === undefined) return []
    const indexed = indexedWords(workspaceId, words)
    const found = yield* sql<FoundRow>`${jobs.findByWords(sql, indexed, foundMax + 1)}`
    if (found.length > foundMax) return [hasWords(sql, words)]
    const ids = found.map(({ job_id }) => job_id)
    return [reads.isAmong(sql, "id", ids)]
  })

/** Creates a function that lists all readable jobs. */
export const makeList = (sql: SqlClient.SqlClient, statements: ListStatements) => {
  const search = makeSearch(sql, statements)
  /**
   * Reads the jobs of a page. While two versions run, rows with a newer format are expected, so
   * nothing is logged.
   */
  const page = (query: JobQuery, searched: ReadonlyArray<Statement.Fragment>) => {
    const { after, callbackId, createdBefore, createdFrom, limit } = query
    const { below, from } = idRange(query)
    const ids = { from, below: lower(below, Option.getOrUndefined(after)) }
    const { isOnPage, order } = byIndex(sql, query, ids)
    const narrowed = sql.and([
      ...ofWorkspace(sql, query),
      sql`format <= ${jobFormat}`,
      ...isOnPage,
      ...searched,
      // The second condition repeats that of a partial index, because otherwise the index would not
      // be used.
      ...(callbackId === undefined
        ? []
        : [sql`callback_id = ${callbackId}`, sql`callback_id <> ''`]),
      ...(createdFrom === undefined ? [] : [sql`accepted_at >= ${millis(createdFrom)}`]),
      ...(createdBefore === undefined ? [] : [sql`accepted_at < ${millis(createdBefore)}`])
    ])
    return sql<JobRow>`SELECT id, state FROM verbatim_jobs
      WHERE ${narrowed} ORDER BY ${order} LIMIT ${limit}`
  }
  return function* (query: JobQuery) {
    const jobs: Array<Job> = []
    const searched = yield* search(query)
    let { after } = query
    for (let queries = 0; queries < queriesMax; queries += 1) {
      const limit = query.limit - jobs.length
      const rows = yield* page({ ...query, after, limit }, searched)
      const read = yield* Effect.forEach(rows, ({ id, state }) =>
        skipUnreadable(readJob(state, `jobs ${id}`), id)
      )
      jobs.push(...read.flatMap(Option.toArray))
      after = Option.fromUndefinedOr(rows.at(-1)?.id)
      if (rows.length < limit || jobs.length === query.limit) break
    }
    return jobs
  }
}

/** Creates a function that checks whether a workspace has any jobs, written by any version. */
export const makeHasAny = (sql: SqlClient.SqlClient) =>
  function* (workspaceId: WorkspaceId) {
    const rows =
      yield* sql`SELECT id FROM verbatim_jobs WHERE workspace_id = ${workspaceId} LIMIT 1`
    return rows.length > 0
  }

/** Creates a function that finds a job, or fails if a newer version wrote it. */
export const makeFind = (sql: SqlClient.SqlClient) =>
  function* (workspaceId: WorkspaceId, id: JobId) {
    const [row] = yield* sql<JobRow>`SELECT id, format, state FROM verbatim_jobs
      WHERE id = ${id} AND workspace_id = ${workspaceId}`
    if (row === undefined) return Option.none()
    if (row.format > jobFormat) return yield* tooNew(id, row.format)
    return Option.some(yield* readJob(row.state, `jobs ${id}`))
  }

/** Creates a function that deletes a job, or fails if a newer version wrote it. */
export const makeRemove = (sql: SqlClient.SqlClient, statements: DeletionStatements) => {
  const find = makeFind(sql)
  return function* (workspaceId: WorkspaceId, id: JobId, statuses?: ReadonlyArray<LegacyStatus>) {
    const which = sql.and([
      sql`id = ${id} AND workspace_id = ${workspaceId} AND format <= ${jobFormat}`,
      ...(statuses === undefined ? [] : [sql.in("status", statuses)])
    ])
    const [row] = yield* deleteJobs(sql, statements, which)
    // Nothing was deleted: the job does not exist, has another status, or was written by a newer
    // version.
    if (row === undefined) return Option.filter(yield* find(workspaceId, id), () => false)
    return Option.some(yield* readJob(row.state, `jobs ${id}`))
  }
}
