/**
 * What a caller of the workspace store learns when the database fails.
 */
import { WorkspaceStoreError } from "@verbatim/core/ports"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"

/** Names the operation that the database did not do. */
export const mapSqlError = (operation: string) =>
  Effect.mapError((cause: SqlError.SqlError) => new WorkspaceStoreError({ operation, cause }))
