/**
 * What is done alike with the keys of workspaces and of operators, each in a table of their own.
 */
import type { ApiKey, ApiKeyId } from "@verbatim/core/workspace"
import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** The statements for one of the two tables. */
export const makeKeyStatements = (
  sql: SqlClient.SqlClient,
  table: "verbatim_api_keys" | "verbatim_operator_keys"
) => {
  const keys = sql.literal(table)
  return {
    /** Whether the key with that hash is this one. */
    isSame: ({ hash, id }: Pick<ApiKey, "hash" | "id">) =>
      Effect.map(
        sql`SELECT id FROM ${keys} WHERE hash = ${hash} AND id = ${id}`,
        (same) => same.length > 0
      ),
    /** Revokes for good; the first instant stays. */
    revoke: (id: ApiKeyId, at: DateTime.Utc) =>
      Effect.map(
        sql`UPDATE ${keys} SET revoked_at = COALESCE(revoked_at, ${DateTime.toEpochMillis(at)})
          WHERE id = ${id} RETURNING id`,
        (revoked) => revoked.length > 0
      ),
    /** Notes a use, unless a later one is noted. */
    noteUse: (id: ApiKeyId, at: DateTime.Utc) => {
      const millis = DateTime.toEpochMillis(at)
      return Effect.asVoid(sql`UPDATE ${keys} SET last_used_at = ${millis}
        WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < ${millis})`)
    }
  }
}
