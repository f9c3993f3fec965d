/**
 * Counts jobs with pending work. Ended jobs have no row in the table of work, so their number does
 * not matter.
 */
import { WorkKind } from "@verbatim/core/attempt"
import type { Creation, UnfinishedQuery } from "@verbatim/core/ports"
import type { ApiKeyId, LimitOwner } from "@verbatim/core/workspace"
import { Effect, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { makeReader, type Row } from "../row/Row.ts"

type Sql = SqlClient.SqlClient

const read = makeReader(Schema.Int)

const kinds = WorkKind.literals.map((kind) => `('${kind}')`).join(", ")

/**
 * Counts a workspace's unfinished jobs, up to a limit per kind. The query orders rows like the lane
 * index, because otherwise Postgres may scan all workspaces' work.
 */
const buildWorkspaceCount = (sql: Sql, id: string, max: number): Statement.Fragment =>
  sql`(SELECT CAST(SUM((SELECT COUNT(*) FROM (
      SELECT 1 FROM verbatim_work
      WHERE verbatim_work.kind = kinds.column1 AND verbatim_work.workspace_id = ${id}
      ORDER BY verbatim_work.lane_hash, verbatim_work.due_at, verbatim_work.job_id
      LIMIT ${max}) AS found)) AS BIGINT) FROM (VALUES ${sql.literal(kinds)}) AS kinds)`

/** Counts a key's unfinished jobs, up to a limit. */
const buildKeyCount = (sql: Sql, id: string, max: number): Statement.Fragment =>
  sql`(SELECT COUNT(*) FROM (
    SELECT 1 FROM verbatim_work WHERE key_id = ${id} LIMIT ${max}) AS found)`

/** Counts unfinished jobs up to a limit. */
export const countUnfinished = (
  sql: Sql,
  { countMax, keyId, workspaceId }: UnfinishedQuery
): Effect.Effect<number, SqlError.SqlError> => {
  const count =
    keyId === null
      ? buildWorkspaceCount(sql, workspaceId, countMax)
      : buildKeyCount(sql, keyId, countMax)
  return sql<Row>`SELECT ${count} AS unfinished`.pipe(
    Effect.flatMap(([row]) => read(row?.unfinished, "a count of work")),
    Effect.map((found) => Math.min(found, countMax))
  )
}

/**
 * Returns which limit on unfinished jobs a new job would exceed, if any: the workspace's or the
 * key's. The caller's transaction excludes other new jobs in the workspace.
 */
export const findFull = Effect.fnUntraced(function* (
  sql: Sql,
  { job: { keyId, workspaceId }, unfinishedMax }: Pick<Creation, "job" | "unfinishedMax">
): Effect.fn.Return<LimitOwner | undefined, SqlError.SqlError> {
  const { key = null, workspace = null } = unfinishedMax ?? {}
  const isFull = (countMax: number, keyId: ApiKeyId | null) =>
    Effect.map(countUnfinished(sql, { workspaceId, keyId, countMax }), (count) => count >= countMax)
  if (workspace !== null && (yield* isFull(workspace, null))) return "workspace"
  return keyId !== undefined && key !== null && (yield* isFull(key, keyId)) ? "key" : undefined
})
