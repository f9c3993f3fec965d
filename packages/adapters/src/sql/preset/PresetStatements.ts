/**
 * How a database adds a version to a preset.
 */

import type { PresetStoreError } from "@verbatim/core/ports"
import type { DesignatedPreset, PresetDraft } from "@verbatim/core/preset"
import type { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { LabelsTaken } from "./LabelRows.ts"

/** Writes the version of a draft with everything that belongs to it, or nothing. */
export type Append = (
  draft: PresetDraft
) => Effect.Effect<DesignatedPreset, SqlError.SqlError | PresetStoreError>

/** A database's own statements about presets. */
export interface PresetStatements {
  /** Made once for a store. */
  readonly makeAppend: (sql: SqlClient.SqlClient) => Append
  /**
   * Whether somebody protects one of these labels, whatever the transaction still sees. In a turn
   * that keeps out who would protect one, so that the answer holds until the commit.
   */
  readonly isAnyProtected: (
    sql: SqlClient.SqlClient,
    taken: LabelsTaken
  ) => Effect.Effect<boolean, SqlError.SqlError>
  /**
   * Whether a column has a text that a pattern of LIKE describes, with `!` before what is meant as
   * it is. ASCII letters are the same in either case, and no others.
   */
  readonly isLike: (
    sql: SqlClient.SqlClient,
    match: { readonly column: string; readonly pattern: string }
  ) => Statement.Fragment
}
