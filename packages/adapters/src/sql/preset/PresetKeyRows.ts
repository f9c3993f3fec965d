/**
 * Reads and writes the rows of preset idempotency keys. Each row names the version that the first
 * request with a key created, until the key expires by the store's clock.
 */
import { type IdempotencyKey, keyWindow } from "@verbatim/core/idempotency"
import type { KeyedVersion } from "@verbatim/core/ports"
import type {
  DesignatedPreset,
  KeyedRequest,
  PresetDraft,
  PresetVersionId
} from "@verbatim/core/preset"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Duration, Effect, Option, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { makeReader, type Row } from "../row/Row.ts"
import type { RowReads } from "../row/RowReads.ts"
import { type Sweep, sweepMax } from "../row/Sweep.ts"
import type { StoreTime } from "../session/Sessions.ts"
import { notRemoved, presets, presetVersions } from "./PresetRows.ts"

const windowMillis = Duration.toMillis(keyWindow)

const readFingerprint = makeReader(Schema.String)

const readMade = Effect.fnUntraced(function* (row: Row): Effect.fn.Return<DesignatedPreset> {
  return { preset: yield* presets.read(row), version: yield* presetVersions.read(row) }
})

const madeColumns = `${presets.columns}, ${presetVersions.columns}`

/**
 * Finds a draft's version with its preset. Returns none if the version was never appended or has
 * been deleted.
 */
export const findDrafted = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  id: PresetVersionId
) {
  const [row] = yield* sql<Row>`SELECT ${sql.literal(madeColumns)} FROM verbatim_preset_versions
    JOIN verbatim_presets ON verbatim_presets.id = verbatim_preset_versions.preset_id
      WHERE verbatim_preset_versions.id = ${id}
      AND ${sql.literal(notRemoved)}`
  return row === undefined ? Option.none() : Option.some(yield* readMade(row))
})

/** A key to look up, and the clock that determines whether the key has expired. */
interface KeyLookup {
  readonly workspaceId: WorkspaceId
  readonly key: IdempotencyKey
  readonly time: StoreTime
}

/** Finds the version that was created under a key, unless the key has expired. */
export const find = (
  sql: SqlClient.SqlClient,
  { key, time, workspaceId }: KeyLookup
): Effect.Effect<Option.Option<KeyedVersion>, SqlError.SqlError> =>
  time
    .withNow(
      sql,
      (now) => sql<Row>`
    SELECT fingerprint, ${sql.literal(madeColumns)} FROM verbatim_preset_keys
    JOIN verbatim_preset_versions ON verbatim_preset_versions.id = verbatim_preset_keys.version_id
    JOIN verbatim_presets ON verbatim_presets.id = verbatim_preset_versions.preset_id
    WHERE verbatim_preset_keys.workspace_id = ${workspaceId} AND key = ${key}
      AND abs(verbatim_preset_keys.at - ${now}) < ${sql.literal(`${windowMillis}`)}
      AND ${sql.literal(notRemoved)}`
    )
    .pipe(
      Effect.flatMap(
        Effect.fnUntraced(function* ([row]) {
          if (row === undefined) return Option.none()
          const fingerprint = yield* readFingerprint(row.fingerprint, `preset_keys ${key}`)
          return Option.some({ fingerprint, made: yield* readMade(row) })
        })
      )
    )

/** A record to write, with the time from the store's clock. */
interface Entry {
  readonly draft: PresetDraft
  readonly request: KeyedRequest
  readonly time: StoreTime
}

/**
 * Writes a record after the record's version, in the transaction that found no valid record. The
 * age is not checked again, because an expired record could look valid after the clock was set
 * back. In that case, the version would have no key, and a retried request would add another
 * version.
 */
export const insert = (
  sql: SqlClient.SqlClient,
  { draft: { versionId, workspaceId }, request: { fingerprint, key }, time }: Entry
) =>
  time.withNow(
    sql,
    (now) => sql`INSERT INTO verbatim_preset_keys
        (workspace_id, key, fingerprint, version_id, at)
      VALUES (${workspaceId}, ${key}, ${fingerprint}, ${versionId}, ${now})
      ON CONFLICT (workspace_id, key) DO UPDATE SET
        fingerprint = excluded.fingerprint, version_id = excluded.version_id, at = excluded.at`
  )

/**
 * Creates the sweep that deletes expired records. A record that is being replaced is skipped while
 * locked, and is checked again before its deletion.
 */
export const makeSweep = (
  sql: SqlClient.SqlClient,
  { reads, time }: { readonly reads: Pick<RowReads, "passingLocked">; readonly time: StoreTime }
): Sweep => {
  const passing = sql.literal(reads.passingLocked)
  const swept = time.withNow(sql, (now) => {
    const hasLapsed = sql`at <= ${now} - ${sql.literal(`${windowMillis}`)}`
    return sql`
      WITH lapsed AS MATERIALIZED (
        SELECT workspace_id, key FROM verbatim_preset_keys WHERE ${hasLapsed}
        ORDER BY at LIMIT ${sweepMax} ${passing})
      DELETE FROM verbatim_preset_keys
      WHERE (workspace_id, key) IN (SELECT workspace_id, key FROM lapsed) AND ${hasLapsed}
      RETURNING key`
  })
  return {
    what: "Expired keys of presets",
    stepMax: sweepMax,
    step: Effect.map(swept, (rows) => rows.length)
  }
}
