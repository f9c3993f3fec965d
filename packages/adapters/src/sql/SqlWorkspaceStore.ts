/**
 * Workspaces, keys, webhook secrets and ledgers in SQL.
 */
import {
  type Account,
  type AccountPage,
  type Credit,
  trace,
  WorkspaceStore
} from "@verbatim/core/ports"
import { noPieceWork } from "@verbatim/core/transcription"
import { edges, type WorkspaceId } from "@verbatim/core/workspace"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { Row } from "./row/Row.ts"
import { Statements } from "./Statements.ts"
import { apiKeyMethods, insertKey } from "./workspace/ApiKeyRows.ts"
import { addEntry, type LedgerEntry, readMillis } from "./workspace/Ledger.ts"
import { makeLedger } from "./workspace/LedgerRows.ts"
import { makeUsage } from "./workspace/UsageRows.ts"
import { webhookSecretMethods } from "./workspace/WebhookSecretRows.ts"
import {
  insertWorkspace,
  mapSqlError,
  workspaceMethods,
  workspaces
} from "./workspace/WorkspaceRows.ts"

/**
 * The known statuses. A newer version may have more; workspaces with unknown statuses are left out
 * of lists.
 */
const statuses = Object.keys(edges)

/** Maximum number of balances read by one statement. */
const readsMax = 64

const toLedgerEntry = (credit: Credit): LedgerEntry => ({
  ...credit,
  column: "credit_id",
  keyId: null,
  work: noPieceWork
})

/** Makes the method that creates the first workspace. */
const makeFound = (
  sql: SqlClient.SqlClient,
  exclusive: Statements["Service"]["exclusive"]
): WorkspaceStore["Service"]["found"] =>
  trace("SqlWorkspaceStore.found")(
    function* ({ credit, keys, workspace }: Parameters<WorkspaceStore["Service"]["found"]>[0]) {
      const [known] = yield* sql<Row>`SELECT id FROM verbatim_workspaces
      ORDER BY id = ${workspace.id} DESC LIMIT 1`
      if (known !== undefined) return known.id === workspace.id
      yield* insertWorkspace(sql, workspace)
      yield* Effect.forEach(keys, (key) => insertKey(sql, key), { discard: true })
      yield* addEntry(sql, toLedgerEntry(credit))
      return true
    },
    (founding) => exclusive(sql, "founding", founding),
    mapSqlError("found")
  )

/** The store over any `SqlClient` whose database is migrated. */
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

      const accounts = trace("SqlWorkspaceStore.accounts")(function* (page: AccountPage) {
        const rows = yield* sql<Row>`SELECT ${accountColumns} FROM verbatim_workspaces
          WHERE id > ${page.after ?? ""} AND ${sql.in("status", statuses)}
          ORDER BY id LIMIT ${page.limit}`.pipe(mapSqlError("accounts"))
        return yield* Effect.forEach(rows, readAccount)
      })

      const accountRows = reads.makeRead(sql, {
        name: "account",
        column: "id",
        field: "workspaces.id",
        sizeMax: readsMax,
        select: (isOne) =>
          sql<Row>`SELECT ${accountColumns} FROM verbatim_workspaces WHERE ${isOne}`
      })

      const account = trace("SqlWorkspaceStore.account")(function* (id: WorkspaceId) {
        const [row] = yield* accountRows(id)
        return row === undefined ? Option.none() : Option.some(yield* readAccount(row))
      }, mapSqlError("account"))

      const credit = trace("SqlWorkspaceStore.credit")(
        (credit: Credit) => addEntry(sql, toLedgerEntry(credit)),
        sql.withTransaction,
        mapSqlError("credit")
      )

      return WorkspaceStore.of({
        found: makeFound(sql, exclusive),
        accounts,
        account,
        ...workspaceMethods(sql),
        ...apiKeyMethods(sql, {
          reads,
          rotateExclusively: (rotation) => exclusive(sql, "rotation", rotation)
        }),
        ...webhookSecretMethods(sql, reads),
        credit,
        ledger: makeLedger(sql),
        usage: makeUsage(sql)
      })
    })
  )
