/** Stores workspaces, keys, webhook secrets and ledgers in SQL. */

import { JobId } from "@verbatim/core/attempt"
import {
  type Account,
  type Credit,
  type LedgerQuery,
  type UsageQuery,
  WorkspaceStore
} from "@verbatim/core/ports"
import { noPieceWork } from "@verbatim/core/transcription"
import {
  ApiKeyId,
  BalanceMillis,
  dayMillis,
  edges,
  WebhookSecret,
  WorkspaceId
} from "@verbatim/core/workspace"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { makeReader, type Row, table } from "./row/Row.ts"
import type { RowReads } from "./row/RowStatements.ts"
import { makeStore } from "./row/StoreMethods.ts"
import { Statements } from "./Statements.ts"
import { addEntry, type LedgerEntry, readMillis } from "./workspace/Ledger.ts"
import {
  apiKeyMethods,
  insertKey,
  insertWorkspace,
  toStoreError,
  workspaceMethods,
  workspaces
} from "./workspace/WorkspaceRows.ts"

/**
 * The statuses that this version knows. A newer version may have more; workspaces with unknown
 * statuses are omitted from lists.
 */
const statuses = Object.keys(edges)

/** Maximum number of balances read by one statement. */
const readsMax = 64

type Founding = Parameters<WorkspaceStore["Service"]["found"]>[0]

const toLedgerEntry = (credit: Credit): LedgerEntry => ({
  ...credit,
  column: "credit_id",
  keyId: null,
  work: noPieceWork
})

/** Creates the method that adds the first workspace. */
const makeFound = (
  sql: SqlClient.SqlClient,
  exclusive: Statements["Service"]["exclusive"]
): ((founding: Founding) => Effect.Effect<boolean, SqlError.SqlError>) =>
  Effect.fnUntraced(
    function* ({ credit, keys, workspace }: Founding) {
      const [known] = yield* sql<Row>`SELECT id FROM verbatim_workspaces
      ORDER BY id = ${workspace.id} DESC LIMIT 1`
      if (known !== undefined) return known.id === workspace.id
      yield* insertWorkspace(sql, workspace)
      yield* Effect.forEach(keys, (key) => insertKey(sql, key), { discard: true })
      yield* addEntry(sql, toLedgerEntry(credit))
      return true
    },
    (founding) => exclusive(sql, "founding", founding)
  )

const storeOf = makeStore(WorkspaceStore, "SqlWorkspaceStore", toStoreError)

/** Provides `WorkspaceStore` over any `SqlClient` with a migrated database. */
export const layer: Layer.Layer<WorkspaceStore, never, SqlClient.SqlClient | Statements> =
  Layer.effect(WorkspaceStore)(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { exclusive, reads } = yield* Statements
      const accountColumns = sql.literal(`${workspaces.columns}, balance_millis`)

      const readAccount = Effect.fnUntraced(function* (row: Row): Effect.fn.Return<Account> {
        const workspace = yield* workspaces.read(row)
        const balanceMillis = yield* readMillis(row.balance_millis, `balance of ${workspace.id}`)
        return { workspace, balanceMillis }
      })

      const accountRows = reads.makeRead(sql, {
        name: "account",
        column: "id",
        field: "workspaces.id",
        sizeMax: readsMax,
        select: (isOne) =>
          sql<Row>`SELECT ${accountColumns} FROM verbatim_workspaces WHERE ${isOne}`
      })

      return storeOf({
        found: makeFound(sql, exclusive),
        *accounts({ after, limit }) {
          const rows = yield* sql<Row>`SELECT ${accountColumns} FROM verbatim_workspaces
            WHERE id > ${after ?? ""} AND ${sql.in("status", statuses)}
            ORDER BY id LIMIT ${limit}`
          return yield* Effect.forEach(rows, readAccount)
        },
        *account(id) {
          const [row] = yield* accountRows(id)
          return row === undefined ? Option.none() : Option.some(yield* readAccount(row))
        },
        ...workspaceMethods(sql),
        ...apiKeyMethods(sql, { exclusive, reads }),
        ...webhookSecretMethods(sql, reads),
        credit: (credit) => sql.withTransaction(addEntry(sql, toLedgerEntry(credit))),
        ledger: makeLedger(sql),
        usage: (query) => Effect.flatMap(select(sql, query), readRows)
      })
    })
  )

const lineFields = {
  entry: Schema.Int,
  millis: BalanceMillis,
  at: Schema.DateTimeUtcFromMillis
}

/**
 * A ledger entry. A table constraint ensures that each entry has either a job's id or a credit's
 * id.
 */
const Line = Schema.Union([
  Schema.Struct({
    ...lineFields,
    job_id: JobId,
    credit_id: Schema.Null,
    key_id: Schema.NullOr(ApiKeyId)
  }),
  Schema.Struct({
    ...lineFields,
    job_id: Schema.Null,
    credit_id: Schema.String,
    key_id: Schema.Null
  })
])

const readLine = makeReader(Line)

/**
 * Creates the method that reads a page of ledger entries. Only the page's entries are read, through
 * the index by workspace and entry.
 */
const makeLedger = (sql: SqlClient.SqlClient) =>
  function* ({ before, limit, workspaceId }: LedgerQuery) {
    const isBefore = before === null ? sql`TRUE` : sql`entry < ${before}`
    const rows = yield* sql<Row>`
      SELECT entry, credit_id, job_id, key_id, millis, at FROM verbatim_ledger
      WHERE workspace_id = ${workspaceId} AND ${isBefore} ORDER BY entry DESC LIMIT ${limit}`
    return yield* Effect.forEach(rows, (row) =>
      Effect.map(readLine(row, `a line of the ledger of ${workspaceId}`), (line) => ({
        ordinal: line.entry,
        at: line.at,
        millis: line.millis,
        reason:
          line.job_id === null
            ? { _tag: "Credit" as const, creditId: line.credit_id }
            : { _tag: "Charge" as const, jobId: line.job_id, keyId: line.key_id }
      }))
    )
  }

const webhookSecret = table({
  name: "webhook_secrets",
  schema: WebhookSecret,
  fields: Object.keys(WebhookSecret.fields)
})

/**
 * Maximum number of workspaces in one query for secrets: the number of webhooks that start at the
 * same time.
 */
const workspacesMax = 64

/** The workspace store's methods for webhook secrets. */
const webhookSecretMethods = (sql: SqlClient.SqlClient, reads: RowReads) => {
  const secretColumns = sql.literal(webhookSecret.columns)

  const secretRows = reads.makeRead(sql, {
    name: "webhook secrets",
    column: "workspace_id",
    field: "webhook_secrets.workspaceId",
    sizeMax: workspacesMax,
    select: (isOne) => sql<Row>`SELECT ${secretColumns} FROM verbatim_webhook_secrets
      WHERE ${isOne} ORDER BY created_at, id`
  })

  const addWebhookSecret = Effect.fnUntraced(function* (secret: WebhookSecret) {
    const owners = yield* sql`SELECT id FROM verbatim_workspaces WHERE id = ${secret.workspaceId}`
    if (owners.length === 0) return false
    yield* sql`INSERT INTO verbatim_webhook_secrets ${sql.insert(webhookSecret.row(secret))}
      ON CONFLICT (id) DO NOTHING`
    return true
  }, sql.withTransaction)

  return {
    webhookSecrets: (id: WorkspaceId) =>
      Effect.flatMap(secretRows(id), (rows) => Effect.forEach(rows, webhookSecret.read)),
    addWebhookSecret,
    *removeWebhookSecret(id: WorkspaceId, secretId: WebhookSecret["id"]) {
      const removed = yield* sql`DELETE FROM verbatim_webhook_secrets
        WHERE id = ${secretId} AND workspace_id = ${id} RETURNING id`
      return removed.length > 0
    }
  }
}

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

/** The columns to group usage by, and the columns to order the totals by. */
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

/** Returns the condition for rows that follow a given row. */
const isAfter = (sql: Sql, { after, by }: UsageQuery): Statement.Fragment => {
  if (after === null) return sql`TRUE`
  const order = sql.literal(subjects[by].order)
  if (by === "day") return sql`${order} > ${after.day}`
  if (by === "workspace") return sql`${order} > ${after.workspaceId}`
  return sql`(${order}) > (${after.workspaceId}, ${after.keyId ?? ""})`
}

/**
 * Sums ledger entries for usage reports. Only the period's entries are read, workspace by
 * workspace, through the index by time.
 */
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
