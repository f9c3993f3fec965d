/** How jobs are found, listed and deleted when there may be rows of a newer version among them. */
import type { JobId } from "@verbatim/core/attempt"
import { idRange, type Job, type JobQuery } from "@verbatim/core/job"
import { trace } from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { orNone } from "../row/Row.ts"
import type { StoreTime } from "../session/Sessions.ts"
import { mapSqlError, tooNew } from "./JobFailure.ts"
import { jobFormat, readJob } from "./JobRows.ts"
import type { JobStatements } from "./JobStatements.ts"

interface JobRow {
  readonly id: JobId
  readonly format: number
  readonly state: string
}

/** Successive looks at a list, to replace rows that do not decode. Only damage makes such rows. */
const looksMax = 10

const millis = DateTime.toEpochMillis

/** The ids of a page: from the first on, and below the second. */
interface Ids {
  readonly from: string | undefined
  readonly below: string | undefined
}

/**
 * The jobs of a status in the order of the index that begins with it. Where one status is that of
 * most jobs, the plan that serves all would look through all of them by their ids: among 200,000
 * jobs none was found in 615 ms, and so in 0.1.
 */
const withStatus = (sql: SqlClient.SqlClient, status: string, { below, from }: Ids) => ({
  isOnPage: [
    from === undefined ? sql`status >= ${status}` : sql`(status, id) >= (${status}, ${from})`,
    below === undefined ? sql`status <= ${status}` : sql`(status, id) < (${status}, ${below})`
  ],
  order: sql`status DESC, id DESC`
})

const withAnyStatus = (sql: SqlClient.SqlClient, { below, from }: Ids) => ({
  isOnPage: [
    ...(from === undefined ? [] : [sql`id >= ${from}`]),
    ...(below === undefined ? [] : [sql`id < ${below}`])
  ],
  order: sql`id DESC`
})

/** The lower of two ids, where there is one. */
const lower = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one

/** Lists what can be read. */
export const makeList = (sql: SqlClient.SqlClient) => {
  /** Rows left out by their format are expected while two versions run: nothing is logged. */
  const page = ({ after, limit, ...query }: JobQuery) => {
    const { callbackId, createdBefore, createdFrom, status, workspaceId } = query
    const { below, from } = idRange(query)
    const ids = { from, below: lower(below, Option.getOrUndefined(after)) }
    const { isOnPage, order } = Option.match(status, {
      onNone: () => withAnyStatus(sql, ids),
      onSome: (status) => withStatus(sql, status, ids)
    })
    const narrowed = sql.and([
      sql`workspace_id = ${workspaceId}`,
      sql`format <= ${jobFormat}`,
      ...isOnPage,
      // An index with the condition serves only who repeats it.
      ...(callbackId === undefined
        ? []
        : [sql`callback_id = ${callbackId}`, sql`callback_id <> ''`]),
      ...(createdFrom === undefined ? [] : [sql`accepted_at >= ${millis(createdFrom)}`]),
      ...(createdBefore === undefined ? [] : [sql`accepted_at < ${millis(createdBefore)}`])
    ])
    return sql<JobRow>`SELECT id, state FROM verbatim_jobs
      WHERE ${narrowed} ORDER BY ${order} LIMIT ${limit}`
  }
  return trace("SqlJobStore.list")(function* (query: JobQuery) {
    const jobs: Array<Job> = []
    let { after } = query
    for (let looks = 0; looks < looksMax; looks += 1) {
      const limit = query.limit - jobs.length
      const rows = yield* page({ ...query, after, limit })
      const read = yield* Effect.forEach(rows, ({ id, state }) =>
        orNone(readJob(state, `jobs ${id}`), id)
      )
      jobs.push(...read.flatMap(Option.toArray))
      after = Option.fromUndefinedOr(rows.at(-1)?.id)
      if (rows.length < limit || jobs.length === query.limit) break
    }
    return jobs
  }, mapSqlError("list"))
}

/** Whether a workspace has a job of any version. */
export const makeHasAny = (sql: SqlClient.SqlClient) =>
  trace("SqlJobStore.hasAny")(function* (workspaceId: WorkspaceId) {
    const rows =
      yield* sql`SELECT id FROM verbatim_jobs WHERE workspace_id = ${workspaceId} LIMIT 1`
    return rows.length > 0
  }, mapSqlError("hasAny"))

/** Finds a job, unless it is of a newer version. */
export const makeFind = (sql: SqlClient.SqlClient) =>
  trace("SqlJobStore.find")(function* (workspaceId: WorkspaceId, id: JobId) {
    const [row] = yield* sql<JobRow>`SELECT id, format, state FROM verbatim_jobs
      WHERE id = ${id} AND workspace_id = ${workspaceId}`
    if (row === undefined) return Option.none()
    if (row.format > jobFormat) return yield* tooNew(id, row.format)
    return Option.some(yield* readJob(row.state, `jobs ${id}`))
  }, mapSqlError("find"))

/** What a removal asks of a database. */
interface Removing {
  readonly jobs: Pick<JobStatements, "deleteJobs">
  readonly time: StoreTime
}

/** Deletes a job, unless it is of a newer version. */
export const makeRemove = (sql: SqlClient.SqlClient, { jobs, time }: Removing) => {
  const find = makeFind(sql)
  return trace("SqlJobStore.remove")(function* (workspaceId: WorkspaceId, id: JobId) {
    const which = sql`id = ${id} AND workspace_id = ${workspaceId} AND format <= ${jobFormat}`
    const [row] = yield* jobs.deleteJobs(sql, { which, time })
    // The job is not there, or belongs to another version.
    if (row === undefined) return Option.filter(yield* find(workspaceId, id), () => false)
    return Option.some(yield* readJob(row.state, `jobs ${id}`))
  }, mapSqlError("remove"))
}
