/**
 * Presets, their versions and their designations in SQL.
 */

import type { IdempotencyKey } from "@verbatim/core/idempotency"
import { type Page, PresetStore, trace, type VersionPage } from "@verbatim/core/ports"
import type { PresetId, PresetSlug } from "@verbatim/core/preset"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { makeClear } from "./preset/ClearPresets.ts"
import { moveMethods, protectionMethods } from "./preset/LabelRows.ts"
import { makeAppend } from "./preset/PresetAppend.ts"
import { mapSqlError } from "./preset/PresetFailure.ts"
import * as PresetKeyRows from "./preset/PresetKeyRows.ts"
import { makeList } from "./preset/PresetList.ts"
import { removalMethods } from "./preset/PresetRemoval.ts"
import { makeRevise } from "./preset/PresetRevision.ts"
import {
  designationColumns,
  presets,
  presetVersions,
  readCount,
  readDesignations,
  withRowBefore
} from "./preset/PresetRows.ts"
import type { Row } from "./row/Row.ts"
import type { RowReads } from "./row/RowReads.ts"
import { makeRowLookup } from "./row/RowStatements.ts"
import { sweepForever } from "./row/Sweep.ts"
import { Statements } from "./Statements.ts"

const makeVersionReads = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(presetVersions.columns)

  const versions = trace("SqlPresetStore.versions")(function* (
    presetId: PresetId,
    { byteMax, limit, offset }: VersionPage
  ) {
    // Versions are numbered without gaps, so a page is a range of numbers, and the last page is
    // read as fast as the first.
    const inPage = sql`preset_id = ${presetId}
      AND version > ${offset} AND version <= ${offset + limit}`
    // Sums only the stored sizes, because otherwise the database would load the texts to find the
    // end of the page.
    const fitting =
      byteMax === undefined
        ? inPage
        : sql`${inPage} AND version <= COALESCE((SELECT max(version) FROM (
            SELECT version, sum(octet_length(config) + COALESCE(octet_length(system_prompt), 0))
              OVER (ORDER BY version) AS so_far
            FROM verbatim_preset_versions WHERE ${inPage}) AS sized
          WHERE so_far <= ${byteMax}), ${offset + 1})`
    const rows = yield* sql<Row>`SELECT ${columns} FROM verbatim_preset_versions
      WHERE ${fitting} ORDER BY version`.pipe(mapSqlError("versions"))
    return yield* Effect.forEach(rows, presetVersions.read)
  })

  const findRow = makeRowLookup(sql, {
    count: 2,
    select: ([id, number]) => sql<Row>`SELECT ${columns} FROM verbatim_preset_versions
      WHERE preset_id = ${id} AND version = ${number}`,
    aliases: presetVersions.aliases,
    read: presetVersions.read
  })

  const version = trace("SqlPresetStore.version")(
    (id: PresetId, number: number) => findRow(id, number),
    mapSqlError("version")
  )

  return { version, versions }
}

const makeDesignationReads = (sql: SqlClient.SqlClient) => {
  const designations = trace("SqlPresetStore.designations")(function* (
    presetId: PresetId,
    page: Page
  ) {
    const { limit, offset } = withRowBefore(page)
    const rows =
      yield* sql<Row>`SELECT ${sql.literal(designationColumns)} FROM verbatim_preset_designations
      WHERE preset_id = ${presetId} ORDER BY revision
      LIMIT ${limit} OFFSET ${offset}`.pipe(mapSqlError("designations"))
    return yield* readDesignations(rows, page)
  })

  const designationCount = trace("SqlPresetStore.designationCount")(function* (id: PresetId) {
    const [counted] = yield* sql<Row>`SELECT count(*) AS total FROM verbatim_preset_designations
      WHERE preset_id = ${id}`.pipe(mapSqlError("designationCount"))
    return yield* readCount(counted?.total, `number of designations of ${id}`)
  })

  const designatedAt = trace("SqlPresetStore.designatedAt")(function* (
    presetId: PresetId,
    at: DateTime.Utc
  ) {
    const [row] = yield* sql<Row>`SELECT ${sql.literal(presetVersions.columns)}
      FROM verbatim_preset_designations AS designated
      JOIN verbatim_preset_versions ON verbatim_preset_versions.preset_id = designated.preset_id
        AND verbatim_preset_versions.version = designated.version
      WHERE designated.preset_id = ${presetId} AND designated.at <= ${DateTime.toEpochMillis(at)}
      ORDER BY designated.revision DESC LIMIT 1`.pipe(mapSqlError("designatedAt"))
    return row === undefined ? Option.none() : Option.some(yield* presetVersions.read(row))
  })

  return { designatedAt, designationCount, designations }
}

/**
 * Maximum number of presets read by one statement. Each preset can have a configuration of several
 * megabytes.
 */
const presetsMax = 16

const makePresetFind = (sql: SqlClient.SqlClient, { makeFind }: RowReads) => {
  const columns = sql.literal(`${presets.columns}, ${presetVersions.columns}`)
  const findRow = makeFind(sql, {
    name: "preset",
    by: [
      { column: "verbatim_presets.workspace_id", field: "presets.workspaceId" },
      { column: "verbatim_presets.slug", field: "presets.slug" }
    ],
    sizeMax: presetsMax,
    select: (isMeant) => sql<Row>`SELECT ${columns} FROM verbatim_presets
      JOIN verbatim_preset_versions
        ON verbatim_preset_versions.id = verbatim_presets.designated_version_id
      WHERE ${isMeant}`,
    aliases: [...presets.aliases, ...presetVersions.aliases],
    read: (row) => Effect.all({ preset: presets.read(row), version: presetVersions.read(row) })
  })
  return trace("SqlPresetStore.find")(
    (workspaceId: WorkspaceId, slug: PresetSlug) => findRow(workspaceId, slug),
    mapSqlError("find")
  )
}

/** The store over any `SqlClient` whose database is migrated. */
export const layer: Layer.Layer<PresetStore, never, SqlClient.SqlClient | Statements> =
  Layer.effect(PresetStore)(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const statements = yield* Statements
      const { exclusive, presets, reads, shared, time } = statements
      yield* Effect.forkScoped(sweepForever(PresetKeyRows.makeSweep(sql, statements)))
      return PresetStore.of({
        append: makeAppend(sql, statements),
        made: trace("SqlPresetStore.made")(
          (workspaceId: WorkspaceId, key: IdempotencyKey) =>
            PresetKeyRows.find(sql, { workspaceId, key, time }),
          mapSqlError("made")
        ),
        revise: makeRevise(sql, { ...presets, shared }),
        ...removalMethods(sql, { ...presets, reads, shared }),
        clear: makeClear(sql),
        find: makePresetFind(sql, reads),
        list: makeList(sql, presets),
        ...makeVersionReads(sql),
        ...makeDesignationReads(sql),
        ...moveMethods(sql),
        ...protectionMethods(sql, exclusive)
      })
    })
  )
