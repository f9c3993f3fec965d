/** Stores operator keys in SQL. */
import { OperatorKeyStore, trace } from "@verbatim/core/ports"
import { type KeyHash, OperatorKey } from "@verbatim/core/workspace"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { type Row, table } from "./row/Row.ts"
import { makeKeyStatements } from "./workspace/ApiKeyRows.ts"
import { mapSqlError } from "./workspace/WorkspaceRows.ts"

const operatorKeys = table({
  name: "operator_keys",
  schema: OperatorKey,
  fields: Object.keys(OperatorKey.fields)
})

/** Provides `OperatorKeyStore` over any `SqlClient` whose database is migrated. */
export const layer: Layer.Layer<OperatorKeyStore, never, SqlClient.SqlClient> = Layer.effect(
  OperatorKeyStore
)(
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(operatorKeys.columns)
    const { isSame, noteUse, revoke } = makeKeyStatements(sql, "verbatim_operator_keys")

    const find = trace("SqlOperatorKeyStore.find")(function* (hash: KeyHash) {
      const [row] = yield* sql<Row>`SELECT ${columns} FROM verbatim_operator_keys
        WHERE hash = ${hash} AND revoked_at IS NULL`.pipe(mapSqlError("find"))
      return row === undefined ? Option.none() : Option.some(yield* operatorKeys.read(row))
    })

    const add = trace("SqlOperatorKeyStore.add")(function* (key: OperatorKey) {
      const added =
        yield* sql`INSERT INTO verbatim_operator_keys ${sql.insert(operatorKeys.row(key))}
        ON CONFLICT DO NOTHING RETURNING id`
      return added.length > 0 || (yield* isSame(key))
    }, mapSqlError("add"))

    const keys =
      sql<Row>`SELECT ${columns} FROM verbatim_operator_keys ORDER BY created_at, id`.pipe(
        mapSqlError("keys"),
        Effect.flatMap((rows) => Effect.forEach(rows, operatorKeys.read)),
        Effect.withSpan("SqlOperatorKeyStore.keys")
      )

    return OperatorKeyStore.of({
      find,
      add,
      keys,
      revoke: trace("SqlOperatorKeyStore.revoke")(revoke, mapSqlError("revoke")),
      noteUse: trace("SqlOperatorKeyStore.noteUse")(noteUse, mapSqlError("noteUse"))
    })
  })
)
