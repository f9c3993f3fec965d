/**
 * Sums over ledgers. They read the lines of the time and no others, workspace by workspace, in the
 * index by time. In a file, where the process does nothing else during a statement, they are summed
 * some thousands at a time.
 */
import { trace, type UsageQuery, type WorkspaceStoreError } from "@verbatim/core/ports"
import { ApiKeyId, dayMillis, type UsageRow, WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Order, Schema } from "effect"
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

/** The rows that follow one of them. */
const isAfter = (sql: Sql, { after, by }: UsageQuery): Statement.Fragment => {
  if (after === null) return sql`TRUE`
  const order = sql.literal(subjects[by].order)
  if (by === "day") return sql`${order} > ${after.day}`
  if (by === "workspace") return sql`${order} > ${after.workspaceId}`
  return sql`(${order}) > (${after.workspaceId}, ${after.keyId ?? ""})`
}

const select = (
  sql: Sql,
  query: UsageQuery,
  isInTime: Statement.Fragment
): Statement.Statement<Row> => {
  const { by, keyId, limit, workspaceId } = query
  const { columns, order } = subjects[by]
  const isOne = workspaceId === null ? sql`TRUE` : sql`verbatim_workspaces.id = ${workspaceId}`
  const isOfKey = keyId === null ? sql`TRUE` : sql`key_id = ${keyId}`
  return sql<Row>`
    SELECT ${sql.literal(columns)}, COUNT(job_id) AS jobs,
      CAST(SUM(CASE WHEN job_id IS NULL THEN 0 ELSE -millis END) AS BIGINT) AS "chargedMillis",
      CAST(SUM(CASE WHEN job_id IS NULL THEN millis ELSE 0 END) AS BIGINT) AS "creditedMillis"
    FROM verbatim_workspaces CROSS JOIN verbatim_ledger
    WHERE verbatim_ledger.workspace_id = verbatim_workspaces.id AND ${isOne} AND ${isOfKey}
      AND ${isInTime} AND ${isAfter(sql, query)}
    GROUP BY ${sql.literal(order)} ORDER BY ${sql.literal(order)} LIMIT ${limit}`
}

const readRows = (rows: ReadonlyArray<Row>) =>
  Effect.forEach(rows, (row) =>
    read({ day: null, workspaceId: null, keyId: null, ...row }, "a sum of ledgers")
  )

/** Lines that are summed at a time: some 2 ms. 200,000 at once kept all callers waiting for 170. */
const stepLines = 4_096

/** The last line of a step, in the index by time. */
type StepEnd = Pick<Row, "at" | "entry">

const inOrder: Order.Order<UsageRow> = Order.combineAll([
  Order.mapInput(Order.Number, ({ day }: UsageRow) => day ?? 0),
  Order.mapInput(Order.String, ({ workspaceId }: UsageRow) => workspaceId ?? ""),
  Order.mapInput(Order.String, ({ keyId }: UsageRow) => keyId ?? "")
])

/** Adds up the sums of steps. */
const makeTotals = () => {
  const totals = new Map<string, UsageRow>()
  const add = (row: UsageRow) => {
    const name = `${row.day}/${row.workspaceId}/${row.keyId}`
    const { chargedMillis, creditedMillis, jobs } = totals.get(name) ?? noUsage
    totals.set(name, {
      ...row,
      chargedMillis: row.chargedMillis + chargedMillis,
      jobs: row.jobs + jobs,
      creditedMillis: row.creditedMillis + creditedMillis
    })
  }
  return { add, read: () => [...totals.values()].sort(inOrder) }
}

const noUsage = { chargedMillis: 0, jobs: 0, creditedMillis: 0 }

/**
 * Sums step by step. Each line is in one step, also where others have the same time. A step has one
 * condition at either end: with two, SQLite would begin each step at the beginning of the time.
 */
const makeStepwise = (sql: Sql) => {
  const isBehind = ({ from }: UsageQuery, begin: StepEnd | undefined) =>
    begin === undefined
      ? sql`at >= ${DateTime.toEpochMillis(from)}`
      : sql`(at, entry) > (${begin.at}, ${begin.entry})`

  const isUpTo = ({ to }: UsageQuery, end: StepEnd | undefined) =>
    end === undefined
      ? sql`at < ${DateTime.toEpochMillis(to)}`
      : sql`(at, entry) <= (${end.at}, ${end.entry})`

  const findEnd = (query: UsageQuery, begin: StepEnd | undefined) =>
    Effect.map(
      sql<StepEnd>`SELECT at, entry FROM verbatim_ledger
        WHERE workspace_id = ${query.workspaceId} AND ${isBehind(query, begin)}
          AND ${isUpTo(query, undefined)}
        ORDER BY at, entry LIMIT 1 OFFSET ${stepLines - 1}`,
      ([end]) => end
    )

  return Effect.fnUntraced(function* (query: UsageQuery) {
    const totals = makeTotals()
    const ids =
      query.workspaceId === null
        ? yield* sql<{ readonly id: string }>`SELECT id FROM verbatim_workspaces ORDER BY id`
        : [{ id: query.workspaceId }]
    for (const { id } of ids) {
      const one = { ...query, workspaceId: WorkspaceId.make(id) }
      let begin: StepEnd | undefined
      do {
        const end: StepEnd | undefined = yield* findEnd(one, begin)
        const rows = yield* select(sql, one, sql`${isBehind(one, begin)} AND ${isUpTo(one, end)}`)
        for (const row of yield* readRows(rows)) totals.add(row)
        begin = end
        yield* Effect.yieldNow
      } while (begin !== undefined)
    }
    return totals.read().slice(0, query.limit)
  })
}

/** Reads the rows of a page. */
export const makeUsage = (
  sql: Sql
): ((query: UsageQuery) => Effect.Effect<ReadonlyArray<UsageRow>, WorkspaceStoreError>) => {
  const sum = sql.onDialectOrElse({
    sqlite: () => makeStepwise(sql),
    orElse: () => (query: UsageQuery) => {
      const [from, to] = [query.from, query.to].map(DateTime.toEpochMillis)
      return Effect.flatMap(select(sql, query, sql`at >= ${from} AND at < ${to}`), readRows)
    }
  })
  return trace("SqlWorkspaceStore.usage")(sum, mapSqlError("usage"))
}
