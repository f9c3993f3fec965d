/**
 * Counts jobs with pending work. Jobs that have ended have no row here, so their number does not
 * matter.
 */
import { WorkKind } from "@verbatim/core/attempt"
import type { UnfinishedQuery } from "@verbatim/core/ports"
import { Effect, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { makeReader, type Row } from "../row/Row.ts"

type Sql = SqlClient.SqlClient

const read = makeReader(Schema.Int)

const kinds = WorkKind.literals.map((kind) => `('${kind}')`).join(", ")

/** Counts rows up to a limit. */
const countRows = (sql: Sql, rows: Statement.Fragment, max: Statement.Fragment) =>
  sql`(SELECT COUNT(*) FROM (SELECT 1 FROM verbatim_work WHERE ${rows} LIMIT ${max}) AS found)`

/**
 * Counts the unfinished jobs of a workspace, up to a limit per kind. The query uses the order of
 * the lane index, because otherwise Postgres may scan the work of all workspaces.
 */
export const buildWorkspaceCount = (
  sql: Sql,
  id: Statement.Fragment,
  max: Statement.Fragment
): Statement.Fragment => {
  const ofKind = sql`verbatim_work.kind = kinds.column1 AND verbatim_work.workspace_id = ${id}
    ORDER BY verbatim_work.lane_hash, verbatim_work.due_at, verbatim_work.job_id`
  const count = countRows(sql, ofKind, max)
  return sql`(SELECT CAST(SUM(${count}) AS BIGINT) FROM (VALUES ${sql.literal(kinds)}) AS kinds)`
}

/** Counts the unfinished jobs of a key, up to a limit. */
export const buildKeyCount = (
  sql: Sql,
  id: Statement.Fragment,
  max: Statement.Fragment
): Statement.Fragment => countRows(sql, sql`verbatim_work.key_id = ${id}`, max)

/** Counts unfinished jobs up to a limit. */
export const countUnfinished = (
  sql: Sql,
  { countMax, keyId, workspaceId }: UnfinishedQuery
): Effect.Effect<number, SqlError.SqlError> => {
  const max = sql`${countMax}`
  const count =
    keyId === null
      ? buildWorkspaceCount(sql, sql`${workspaceId}`, max)
      : buildKeyCount(sql, sql`${keyId}`, max)
  return sql<Row>`SELECT ${count} AS unfinished`.pipe(
    Effect.flatMap(([row]) => read(row?.unfinished, "a count of work")),
    Effect.map((found) => Math.min(found, countMax))
  )
}
