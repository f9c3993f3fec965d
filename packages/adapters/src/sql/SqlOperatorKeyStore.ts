/** Stores operator keys in SQL. */
import { OperatorKeyStore } from "@verbatim/core/ports"
import { OperatorKey } from "@verbatim/core/workspace"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { type Row, table } from "./row/Row.ts"
import { makeStore } from "./row/StoreMethods.ts"
import { makeKeyStatements, toStoreError } from "./workspace/WorkspaceRows.ts"

const operatorKeys = table({
  name: "operator_keys",
  schema: OperatorKey,
  fields: Object.keys(OperatorKey.fields)
})

const storeOf = makeStore(OperatorKeyStore, "SqlOperatorKeyStore", toStoreError)

/** Provides `OperatorKeyStore` over any `SqlClient` with a migrated database. */
export const layer: Layer.Layer<OperatorKeyStore, never, SqlClient.SqlClient> = Layer.effect(
  OperatorKeyStore
)(
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(operatorKeys.columns)
    const { isSame, noteUse, revoke } = makeKeyStatements(sql, "verbatim_operator_keys")
    return storeOf({
      *find(hash) {
        const [row] = yield* sql<Row>`SELECT ${columns} FROM verbatim_operator_keys
          WHERE hash = ${hash} AND revoked_at IS NULL`
        return row === undefined ? Option.none() : Option.some(yield* operatorKeys.read(row))
      },
      *add(key) {
        const added =
          yield* sql`INSERT INTO verbatim_operator_keys ${sql.insert(operatorKeys.row(key))}
          ON CONFLICT DO NOTHING RETURNING id`
        return added.length > 0 || (yield* isSame(key))
      },
      keys: sql<Row>`SELECT ${columns} FROM verbatim_operator_keys ORDER BY created_at, id`.pipe(
        Effect.flatMap((rows) => Effect.forEach(rows, operatorKeys.read)),
        Effect.withSpan("SqlOperatorKeyStore.keys")
      ),
      revoke,
      noteUse
    })
  })
)
