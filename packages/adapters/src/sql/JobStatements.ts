/**
 * The writes of a job in one statement each, for a dialect that takes writes inside a query: one
 * way to the server instead of five, and its rows are locked for as long as that takes.
 */
import type { Job } from "@verbatim/core/job/Job"
import type { Work } from "@verbatim/core/job/Work"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { entryRow, jobRow } from "./JobRows.ts"
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
