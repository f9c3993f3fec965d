/** Preset statements that differ between databases. */

import type { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { ChangedLabels } from "./LabelRows.ts"

/** Preset statements for one database. */
export interface PresetStatements {
  /**
   * Whether one of these labels is protected, even if the transaction reads an older snapshot. Runs
   * under a lock that prevents other transactions from protecting a label, so that the result is
   * valid until the commit.
   */
  readonly isAnyProtected: (
    sql: SqlClient.SqlClient,
    taken: ChangedLabels
  ) => Effect.Effect<boolean, SqlError.SqlError>
  /**
   * Whether a column matches a LIKE pattern, with `!` as the escape character. Case is ignored only
   * for ASCII letters.
   */
  readonly isLike: (
    sql: SqlClient.SqlClient,
    match: { readonly column: string; readonly pattern: string }
  ) => Statement.Fragment
}
