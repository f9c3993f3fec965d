/**
 * How a preset counts its next version, or refuses to. Its row comes first, so that writers of one
 * preset wait for each other there.
 */
import { PresetStoreError } from "@verbatim/core/ports"
import type { SqlClient, Statement } from "effect/sql"
import { presets } from "./PresetRows.ts"

/** Why a preset takes no version. */
export const reasons = PresetStoreError.fields.reason.cases

/** The refusal of a draft. */
export const refusal = (reason: PresetStoreError["reason"]) =>
  new PresetStoreError({ operation: "append", reason })

/**
 * A preset that exists counts its next version; but not in a status of a newer program, in which it
 * may take none.
 */
export const buildAdvance = (sql: SqlClient.SqlClient): Statement.Fragment => sql`
  ON CONFLICT (workspace_id, slug) DO UPDATE SET
    revision = presets.revision + 1,
    latest_version = presets.latest_version + 1,
    designated_version = presets.latest_version + 1,
    designated_version_id = excluded.designated_version_id,
    updated_at = excluded.updated_at
  WHERE presets.status IN ('Active', 'Disabled')
  RETURNING ${sql.literal(presets.columns)}`
