/**
 * The keys of workspaces, in SQL: a part of the workspace store.
 */

import { trace, type WorkspaceStore } from "@verbatim/core/ports"
import { ApiKey } from "@verbatim/core/workspace"
import { DateTime, Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type Row, table } from "../row/Row.ts"
import type { RowReads } from "../row/RowReads.ts"
import { mapSqlError } from "./WorkspaceFailure.ts"

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

/** Keys looked up by one statement. */
const keysMax = 64

type Methods = Pick<WorkspaceStore["Service"], "findKey" | "addKey" | "keys" | "revokeKey">

/** Adds a key; no row when its hash exists. */
export const insertKey = (
  sql: SqlClient.SqlClient,
  key: ApiKey
): Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError> =>
  sql<Row>`INSERT INTO api_keys ${sql.insert(apiKeys.row(key))}
    ON CONFLICT (hash) DO NOTHING RETURNING id`

/** The methods of the store that are about keys. */
export const apiKeyMethods = (sql: SqlClient.SqlClient, reads: RowReads): Methods => {
  const keyColumns = sql.literal(apiKeys.columns)

  const keyRows = reads.makeRead(sql, {
    column: "hash",
    field: "api_keys.hash",
    sizeMax: keysMax,
    select: (isOne) =>
      sql<Row>`SELECT ${keyColumns} FROM api_keys WHERE ${isOne} AND revoked_at IS NULL`
  })

  const findKey = trace("SqlWorkspaceStore.findKey")(function* (hash: ApiKey["hash"]) {
    const [row] = yield* keyRows(hash)
    return row === undefined ? Option.none() : Option.some(yield* apiKeys.read(row))
  }, mapSqlError("findKey"))

  const addKey = trace("SqlWorkspaceStore.addKey")(function* (key: ApiKey) {
    const added = yield* insertKey(sql, key)
    if (added.length > 0) return true
    const same = yield* sql`SELECT id FROM api_keys WHERE hash = ${key.hash} AND id = ${key.id}`
    return same.length > 0
  }, mapSqlError("addKey"))

  const keys = sql<Row>`SELECT ${keyColumns} FROM api_keys ORDER BY created_at, id`.pipe(
    mapSqlError("keys"),
    Effect.flatMap((rows) => Effect.forEach(rows, apiKeys.read)),
    Effect.withSpan("SqlWorkspaceStore.keys")
  )

  const revokeKey = trace("SqlWorkspaceStore.revokeKey")(function* (
    id: ApiKey["id"],
    at: DateTime.Utc
  ) {
    const revoked = yield* sql`UPDATE api_keys
        SET revoked_at = COALESCE(revoked_at, ${DateTime.toEpochMillis(at)})
        WHERE id = ${id} RETURNING id`
    return revoked.length > 0
  }, mapSqlError("revokeKey"))

  return { findKey, addKey, keys, revokeKey }
}
