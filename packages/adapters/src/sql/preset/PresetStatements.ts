/**
 * How a database adds a version to a preset.
 */
import type { DesignatedPreset } from "@verbatim/core/domain/preset/DesignatedPreset"
import type { PresetDraft } from "@verbatim/core/domain/preset/PresetDraft"
import type { PresetStoreError } from "@verbatim/core/ports/PresetStore"
import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Writes the version of a draft with all that belongs to it, or nothing. */
export type Append = (
  draft: PresetDraft
) => Effect.Effect<DesignatedPreset, SqlError.SqlError | PresetStoreError>

/** A database's own statements about presets. */
export interface PresetStatements {
  /** Made once for a store. */
  readonly makeAppend: (sql: SqlClient.SqlClient) => Append
}
