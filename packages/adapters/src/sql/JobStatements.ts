/**
 * The writes of a job in one statement each, for a dialect that takes writes inside a query: one
 * way to the server instead of five, and its rows are locked for as long as that takes.
 */
import type { Job } from "@verbatim/core/job/Job"
import type { JobId } from "@verbatim/core/job/JobId"
import type { Work } from "@verbatim/core/job/Work"
import type { Commit } from "@verbatim/core/ports/JobStore"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { entryRow, jobColumns, jobRow } from "./JobRows.ts"
import { type Booking, bookFor } from "./Ledger.ts"
import type { Row } from "./Row.ts"
import * as WorkRows from "./WorkRows.ts"

type Sql = SqlClient.SqlClient

type Written = Effect.Effect<boolean, SqlError.SqlError>

const isWritten = (statement: Statement.Statement<Row>): Written =>
  Effect.map(statement, (rows) => rows.length > 0)

/** Inserts a row for each row of `source`, a query that was named before: for one, or for none. */
const insertFor = (
  sql: Sql,
  { row, source, table }: { readonly table: string; readonly row: Row; readonly source: string }
): Statement.Fragment => {
  const columns = sql.csv(Object.keys(row).map((column) => sql`${sql(column)}`))
  const values = sql.csv(Object.values(row).map((value) => sql`${value}`))
  return sql`INSERT INTO ${sql(table)} (${columns}) SELECT ${values} FROM ${sql(source)}`
}

/** Writes a new job with its first entry and its work; `false` when there is one with that id. */
export const insert = (
  sql: Sql,
  { job, work }: { readonly job: Job; readonly work: Option.Option<Work> }
): Written => {
  const { acceptedAt, id, revision } = job
  const entry = entryRow(id, { revision, at: acceptedAt, events: [], token: Option.none() })
  const source = "written"
  const owing = Option.map(work, (owed) => WorkRows.row(id, owed))
  return isWritten(sql<Row>`
    WITH written AS (
      INSERT INTO jobs ${sql.insert(jobRow(job))} ON CONFLICT (id) DO NOTHING RETURNING id),
    entry AS (${insertFor(sql, { table: "job_history", row: entry, source })})
    ${Option.match(owing, {
      onNone: () => sql``,
      onSome: (row) => sql`, owing AS (${insertFor(sql, { table: "work", row, source })})`
    })}
    SELECT id FROM written`)
}

/** What becomes of the work of a job that is in `written`. */
const owing = (sql: Sql, { isLeaseKept, next: { id }, work }: Commit): Statement.Fragment =>
  Option.match(work, {
    onNone: () => sql`DELETE FROM work USING written WHERE work.job_id = written.id`,
    onSome: (owed) => {
      const row = WorkRows.row(id, owed)
      const { job_id: _, ...columns } = row
      const changes = sql.update({ ...columns, ...(isLeaseKept ? {} : WorkRows.unleased) })
      return sql`${insertFor(sql, { table: "work", row, source: "written" })}
        ON CONFLICT (job_id) DO UPDATE SET ${changes}`
    }
  })

/** The transcript in place of any before, as long as it is one piece. */
const transcribed = (sql: Sql, id: JobId, chunk: string): Statement.Fragment => {
  const row = { job_id: id, ordinal: 0, content: chunk }
  return sql`,
    stale AS (DELETE FROM transcript_chunks USING written
      WHERE job_id = written.id AND ordinal > 0),
    chunk AS (${insertFor(sql, { table: "transcript_chunks", row, source: "written" })}
      ON CONFLICT (job_id, ordinal) DO UPDATE SET content = excluded.content)`
}

/** What a commit writes beside job, entry and work. */
export interface Beside {
  readonly chunk: Option.Option<string>
  readonly booking: Option.Option<Booking>
}

/**
 * Writes all of a commit; `false`, and nothing, when the job is at another revision or the lease is
 * not held. Both rows are locked before anything is written, the job first, and read then as the
 * last commit left them.
 */
export const commit = (sql: Sql, change: Commit, { booking, chunk }: Beside): Written => {
  const { at, events, next, token } = change
  const { id, revision } = next
  const entry = entryRow(id, { revision, at, events, token })
  const fence = Option.match(token, {
    onNone: () => sql`SELECT id FROM job`,
    onSome: (held) => sql`SELECT job.id FROM job JOIN work ON work.job_id = job.id
      WHERE work.token = ${held} FOR UPDATE OF work`
  })
  const nothing = () => sql``
  return isWritten(sql<Row>`
    WITH job AS MATERIALIZED (
      SELECT id FROM jobs WHERE id = ${id} AND revision = ${revision - 1} FOR NO KEY UPDATE),
    fenced AS MATERIALIZED (${fence}),
    written AS (UPDATE jobs SET ${sql.update(jobColumns(next))}
      FROM fenced WHERE jobs.id = fenced.id RETURNING jobs.id),
    entry AS (${insertFor(sql, { table: "job_history", row: entry, source: "written" })}),
    owing AS (${owing(sql, change)})
    ${Option.match(chunk, { onNone: nothing, onSome: (text) => transcribed(sql, id, text) })}
    ${Option.match(booking, {
      onNone: nothing,
      onSome: (one) => sql`, ${bookFor(sql, one, "written")}`
    })}
    SELECT id FROM written`)
}
