/**
 * Sums ledger entries for usage reports. Only the entries of the period are read, workspace by
 * workspace, through the index by time.
 */
import { trace, type UsageQuery, type WorkspaceStoreError } from "@verbatim/core/ports"
import { ApiKeyId, dayMillis, type UsageRow, WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { makeReader, type Row } from "../row/Row.ts"
import { mapSqlError } from "./WorkspaceRows.ts"

type Sql = SqlClient.SqlClient

const UsageSum = Schema.Struct({
  day: Schema.NullOr(Schema.Int),
  workspaceId: Schema.NullOr(WorkspaceId),
  keyId: Schema.NullOr(ApiKeyId),
  chargedMillis: Schema.Int,
  jobs: Schema.Int,
  creditedMillis: Schema.Int,
  recognised: Schema.Int,
  reused: Schema.Int,
  engineMillis: Schema.Int
})

const read = makeReader(UsageSum)

/** The columns by which usage is grouped, and the order of the totals. */
const subjects = {
  day: { columns: `at / ${dayMillis} AS day`, order: `at / ${dayMillis}` },
  workspace: {
    columns: `verbatim_ledger.workspace_id AS "workspaceId"`,
    order: "verbatim_ledger.workspace_id"
  },
  key: {
    columns: `verbatim_ledger.workspace_id AS "workspaceId", NULLIF(COALESCE(key_id, ''), '')
      AS "keyId"`,
    order: "verbatim_ledger.workspace_id, COALESCE(key_id, '')"
  }
} as const

/** The condition for rows that follow a given row. */
const isAfter = (sql: Sql, { after, by }: UsageQuery): Statement.Fragment => {
  if (after === null) return sql`TRUE`
  const order = sql.literal(subjects[by].order)
  if (by === "day") return sql`${order} > ${after.day}`
  if (by === "workspace") return sql`${order} > ${after.workspaceId}`
  return sql`(${order}) > (${after.workspaceId}, ${after.keyId ?? ""})`
}

const select = (sql: Sql, query: UsageQuery): Statement.Statement<Row> => {
  const { by, keyId, limit, workspaceId } = query
  const [from, to] = [query.from, query.to].map(DateTime.toEpochMillis)
  const { columns, order } = subjects[by]
  const isOne = workspaceId === null ? sql`TRUE` : sql`verbatim_workspaces.id = ${workspaceId}`
  const isOfKey = keyId === null ? sql`TRUE` : sql`key_id = ${keyId}`
  return sql<Row>`
    SELECT ${sql.literal(columns)}, COUNT(job_id) AS jobs,
      CAST(SUM(CASE WHEN job_id IS NULL THEN 0 ELSE -millis END) AS BIGINT) AS "chargedMillis",
      CAST(SUM(CASE WHEN job_id IS NULL THEN millis ELSE 0 END) AS BIGINT) AS "creditedMillis",
      CAST(SUM(recognised) AS BIGINT) AS recognised, CAST(SUM(reused) AS BIGINT) AS reused,
      CAST(SUM(engine_millis) AS BIGINT) AS "engineMillis"
    FROM verbatim_workspaces CROSS JOIN verbatim_ledger
    WHERE verbatim_ledger.workspace_id = verbatim_workspaces.id AND ${isOne} AND ${isOfKey}
      AND at >= ${from} AND at < ${to} AND ${isAfter(sql, query)}
    GROUP BY ${sql.literal(order)} ORDER BY ${sql.literal(order)} LIMIT ${limit}`
}

const readRows = (rows: ReadonlyArray<Row>) =>
  Effect.forEach(rows, (row) =>
    read({ day: null, workspaceId: null, keyId: null, ...row }, "a sum of ledgers")
  )

/** Makes the method that reads a page of usage totals. */
export const makeUsage = (
  sql: Sql
): ((query: UsageQuery) => Effect.Effect<ReadonlyArray<UsageRow>, WorkspaceStoreError>) =>
  trace("SqlWorkspaceStore.usage")(function* (query: UsageQuery) {
    return yield* readRows(yield* select(sql, query))
  }, mapSqlError("usage"))
