/**
 * Sums over ledgers. They read the lines of the time and no others, workspace by workspace, in the
 * index by time.
 */
import { trace, type UsageQuery, type WorkspaceStoreError } from "@verbatim/core/ports"
import { ApiKeyId, dayMillis, type UsageRow, WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { type Row, reading } from "../row/Row.ts"
import { mapSqlError } from "./WorkspaceFailure.ts"

type Sql = SqlClient.SqlClient

const Summed = Schema.Struct({
  day: Schema.NullOr(Schema.Int),
  workspaceId: Schema.NullOr(WorkspaceId),
  keyId: Schema.NullOr(ApiKeyId),
  chargedMillis: Schema.Int,
  jobs: Schema.Int,
  creditedMillis: Schema.Int
})

const read = reading(Summed)

/** How rows are told apart: the columns of a subject, and what stands for it in the order. */
const subjects = {
  day: { columns: `at / ${dayMillis} AS day`, order: `at / ${dayMillis}` },
  workspace: { columns: `ledger.workspace_id AS "workspaceId"`, order: "ledger.workspace_id" },
  key: {
    columns: `ledger.workspace_id AS "workspaceId", NULLIF(COALESCE(key_id, ''), '') AS "keyId"`,
    order: "ledger.workspace_id, COALESCE(key_id, '')"
  }
} as const

/** The rows that follow one of them. */
const isAfter = (sql: Sql, { after, by }: UsageQuery): Statement.Fragment => {
  if (after === null) return sql`TRUE`
  const order = sql.literal(subjects[by].order)
  if (by === "day") return sql`${order} > ${after.day}`
  if (by === "workspace") return sql`${order} > ${after.workspaceId}`
  return sql`(${order}) > (${after.workspaceId}, ${after.keyId ?? ""})`
}

const select = (sql: Sql, query: UsageQuery): Statement.Statement<Row> => {
  const { by, from, keyId, limit, to, workspaceId } = query
  const { columns, order } = subjects[by]
  const isOne = workspaceId === null ? sql`TRUE` : sql`workspaces.id = ${workspaceId}`
  const isOfKey = keyId === null ? sql`TRUE` : sql`key_id = ${keyId}`
  return sql<Row>`
    SELECT ${sql.literal(columns)}, COUNT(job_id) AS jobs,
      CAST(SUM(CASE WHEN job_id IS NULL THEN 0 ELSE -millis END) AS BIGINT) AS "chargedMillis",
      CAST(SUM(CASE WHEN job_id IS NULL THEN millis ELSE 0 END) AS BIGINT) AS "creditedMillis"
    FROM workspaces CROSS JOIN ledger
    WHERE ledger.workspace_id = workspaces.id AND ${isOne} AND ${isOfKey}
      AND at >= ${DateTime.toEpochMillis(from)} AND at < ${DateTime.toEpochMillis(to)}
      AND ${isAfter(sql, query)}
    GROUP BY ${sql.literal(order)} ORDER BY ${sql.literal(order)} LIMIT ${limit}`
}

/** Reads the rows of a page. */
export const makeUsage = (
  sql: Sql
): ((query: UsageQuery) => Effect.Effect<ReadonlyArray<UsageRow>, WorkspaceStoreError>) =>
  trace("SqlWorkspaceStore.usage")(function* (query: UsageQuery) {
    const rows = yield* select(sql, query)
    const none = { day: null, workspaceId: null, keyId: null }
    return yield* Effect.forEach(rows, (row) => read({ ...none, ...row }, "a sum of ledgers"))
  }, mapSqlError("usage"))
