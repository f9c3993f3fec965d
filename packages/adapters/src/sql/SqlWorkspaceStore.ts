/**
 * Workspaces, keys, webhook secrets and ledgers in SQL.
 */
import { type Account, type Credit, WorkspaceStore } from "@verbatim/core/ports/WorkspaceStore"
import { ApiKey } from "@verbatim/core/workspace/ApiKey"
import { Workspace, type WorkspaceId } from "@verbatim/core/workspace/Workspace"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as Dialect from "./Dialect.ts"
import { type Booking, book, readMillis } from "./Ledger.ts"
import { type Row, table } from "./Row.ts"
import { webhookSecretMethods } from "./WebhookSecretRows.ts"
import { failing } from "./WorkspaceFailure.ts"

const workspaces = table({
  name: "workspaces",
  schema: Workspace,
  columns: {
    id: "id",
    name: "name",
    firstUserId: "first_user_id",
    createdAt: "created_at"
  }
})

const apiKeys = table({
  name: "api_keys",
  schema: ApiKey,
  columns: {
    id: "id",
    workspaceId: "workspace_id",
    userId: "user_id",
    kind: "kind",
    hash: "hash",
    hint: "hint",
    createdAt: "created_at",
    revokedAt: "revoked_at"
  }
})

const bookingOf = (credit: Credit): Booking => ({ ...credit, column: "credit_id" })

/** The store over any `SqlClient` whose database is migrated. */
export const layer: Layer.Layer<WorkspaceStore, never, SqlClient.SqlClient> = Layer.effect(
  WorkspaceStore
)(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const accountColumns = sql.literal(`${workspaces.columns}, balance_millis`)
    const keyColumns = sql.literal(apiKeys.columns)

    const readAccount = Effect.fnUntraced(function* (row: Row): Effect.fn.Return<Account> {
      const workspace = yield* workspaces.read(row)
      const balanceMillis = yield* readMillis(row.balance_millis, `balance of ${workspace.id}`)
      return { workspace, balanceMillis }
    })

    const insertKey = (key: ApiKey) =>
      sql`INSERT INTO api_keys ${sql.insert(apiKeys.row(key))}
        ON CONFLICT (hash) DO NOTHING RETURNING id`

    const found = Effect.fn("SqlWorkspaceStore.found")(
      function* ({ credit, keys, workspace }: Parameters<WorkspaceStore["Service"]["found"]>[0]) {
        const others = yield* sql`SELECT id FROM workspaces LIMIT 1`
        if (others.length > 0) return false
        const row = { ...workspaces.row(workspace), balance_millis: 0 }
        yield* sql`INSERT INTO workspaces ${sql.insert(row)}`
        yield* Effect.forEach(keys, insertKey, { discard: true })
        yield* book(sql, bookingOf(credit))
        return true
      },
      (founding) => Dialect.alone(sql, "founding", founding),
      failing("found")
    )

    const accounts =
      sql<Row>`SELECT ${accountColumns} FROM workspaces ORDER BY created_at, id`.pipe(
        failing("accounts"),
        Effect.flatMap((rows) => Effect.forEach(rows, readAccount)),
        Effect.withSpan("SqlWorkspaceStore.accounts")
      )

    const account = Effect.fn("SqlWorkspaceStore.account")(function* (id: WorkspaceId) {
      const [row] = yield* sql<Row>`SELECT ${accountColumns} FROM workspaces WHERE id = ${id}`.pipe(
        failing("account")
      )
      return row === undefined ? Option.none() : Option.some(yield* readAccount(row))
    })

    // No span, as in `Workspaces.authenticate`.
    const findKey = Effect.fnUntraced(function* (hash: ApiKey["hash"]) {
      const [row] = yield* sql<Row>`SELECT ${keyColumns} FROM api_keys
        WHERE hash = ${hash} AND revoked_at IS NULL`.pipe(failing("findKey"))
      return row === undefined ? Option.none() : Option.some(yield* apiKeys.read(row))
    })

    const addKey = Effect.fn("SqlWorkspaceStore.addKey")(function* (key: ApiKey) {
      const added = yield* insertKey(key)
      return added.length > 0
    }, failing("addKey"))

    const keys = sql<Row>`SELECT ${keyColumns} FROM api_keys ORDER BY created_at, id`.pipe(
      failing("keys"),
      Effect.flatMap((rows) => Effect.forEach(rows, apiKeys.read)),
      Effect.withSpan("SqlWorkspaceStore.keys")
    )

    const revokeKey = Effect.fn("SqlWorkspaceStore.revokeKey")(function* (
      id: ApiKey["id"],
      at: DateTime.Utc
    ) {
      const revoked = yield* sql`UPDATE api_keys
          SET revoked_at = COALESCE(revoked_at, ${DateTime.toEpochMillis(at)})
          WHERE id = ${id} RETURNING id`
      return revoked.length > 0
    }, failing("revokeKey"))

    const credit = Effect.fn("SqlWorkspaceStore.credit")(
      (credit: Credit) => book(sql, bookingOf(credit)),
      sql.withTransaction,
      failing("credit")
    )

    const ledger = Effect.fn("SqlWorkspaceStore.ledger")(function* (id: WorkspaceId) {
      const rows = yield* sql<Row>`SELECT millis FROM ledger
        WHERE workspace_id = ${id} ORDER BY entry`.pipe(failing("ledger"))
      return yield* Effect.forEach(rows, (row) =>
        Effect.map(readMillis(row.millis, `ledger of ${id}`), (millis) => ({ millis }))
      )
    })

    return WorkspaceStore.of({
      found,
      accounts,
      account,
      findKey,
      addKey,
      keys,
      revokeKey,
      ...webhookSecretMethods(sql),
      credit,
      ledger
    })
  })
)
