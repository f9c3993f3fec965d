/** Stores presets, their versions and their designations in SQL. */

import { keyWindow } from "@verbatim/core/idempotency"
import {
  type Page,
  type PresetPage,
  PresetStore,
  type Removal,
  type Revision,
  type VersionPage
} from "@verbatim/core/ports"
import {
  Designation,
  type PresetChangeId,
  type PresetId,
  type PresetSlug
} from "@verbatim/core/preset"
import { UserId, WorkspaceId } from "@verbatim/core/workspace"
import { type DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { labelLockName, moveMethods, protectionMethods } from "./preset/LabelRows.ts"
import { makeMoveReads, moveRow } from "./preset/MoveRows.ts"
import { findRecord, makeAppend } from "./preset/PresetAppend.ts"
import {
  makeRefusal,
  notRemoved,
  presets,
  presetVersions,
  readCount,
  removedStatus,
  toErasureText,
  toRevisedColumns,
  toStoreError
} from "./preset/PresetRows.ts"
import { makeReader, makeTryReader, type Row, skipUnreadable } from "./row/Row.ts"
import type { RowReads } from "./row/RowStatements.ts"
import { makeRowLookup } from "./row/RowStatements.ts"
import { makeStore } from "./row/StoreMethods.ts"
import { makeKeySweep, sweepForever } from "./row/Sweep.ts"
import { type PresetStatements, Statements } from "./Statements.ts"
import { type LockedTransaction, retryDeadlock, withSharedCommit } from "./session/Sessions.ts"

const makeVersionReads = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(presetVersions.columns)

  const findRow = makeRowLookup(sql, {
    count: 2,
    select: ([id, number]) => sql<Row>`SELECT ${columns} FROM verbatim_preset_versions
      WHERE preset_id = ${id} AND version = ${number}`,
    aliases: presetVersions.aliases,
    read: presetVersions.read
  })

  const versions = function* (presetId: PresetId, { byteMax, limit, offset }: VersionPage) {
    // Versions are numbered without gaps, so a page is a range of numbers, and reading the last
    // page takes no longer than reading the first.
    const inPage = sql`preset_id = ${presetId}
      AND version > ${offset} AND version <= ${offset + limit}`
    // Finds the end of the page by summing the stored sizes, because otherwise the database would
    // have to load the texts.
    const fitting =
      byteMax === undefined
        ? inPage
        : sql`${inPage} AND version <= COALESCE((SELECT max(version) FROM (
            SELECT version, sum(octet_length(config) + COALESCE(octet_length(system_prompt), 0))
              OVER (ORDER BY version) AS so_far
            FROM verbatim_preset_versions WHERE ${inPage}) AS sized
          WHERE so_far <= ${byteMax}), ${offset + 1})`
    const rows = yield* sql<Row>`SELECT ${columns} FROM verbatim_preset_versions
      WHERE ${fitting} ORDER BY version`
    return yield* Effect.forEach(rows, presetVersions.read)
  }

  return { version: (id: PresetId, number: number) => findRow(id, number), versions }
}

const readDesignation = makeReader(Designation)

const makeDesignationReads = (sql: SqlClient.SqlClient) => {
  const table = "verbatim_preset_designations"
  const { count, page, versionAt } = makeMoveReads(sql, { table, read: readDesignation })
  const isOf = (id: PresetId) => sql`preset_id = ${id}`
  return {
    designations: (id: PresetId, range: Page) => page(isOf(id), range),
    designationCount: (id: PresetId) => count(isOf(id)),
    designatedAt: (id: PresetId, at: DateTime.Utc) => versionAt(isOf(id), at)
  }
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
  return (workspaceId: WorkspaceId, slug: PresetSlug) => findRow(workspaceId, slug)
}

const storeOf = makeStore(PresetStore, "SqlPresetStore", toStoreError)

/** Provides `PresetStore` over any `SqlClient` with a migrated database. */
export const layer: Layer.Layer<PresetStore, never, SqlClient.SqlClient | Statements> =
  Layer.effect(PresetStore)(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const statements = yield* Statements
      const { exclusive, presets, reads, shared, time } = statements
      const table = "verbatim_preset_keys"
      const expired = {
        table,
        what: "Expired keys of presets",
        age: keyWindow,
        reads,
        time
      } as const
      yield* Effect.forkScoped(sweepForever(makeKeySweep(sql, expired)))
      return storeOf({
        append: makeAppend(sql, statements),
        made: (workspaceId, key) => findRecord(sql, { workspaceId, key, time }),
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

/** Returns a LIKE pattern for strings that contain the given string. */
const toPattern = (text: string): string => `%${text.replace(/[!%_]/g, "!$&")}%`

/** The columns that a search for text looks in. */
const searchedColumns = ["slug", "name", "description"]

/** Returns the conditions that select a page's presets. */
const filtersOf = (
  sql: SqlClient.SqlClient,
  {
    isLike,
    page: { label, state, text }
  }: Pick<PresetStatements, "isLike"> & { readonly page: PresetPage }
): ReadonlyArray<Statement.Fragment> => {
  const filters: Array<Statement.Fragment> = []
  if (state !== undefined) filters.push(sql`status = ${state}`)
  if (label !== undefined) {
    // In the JSON that contains all labels, only a label name is followed by an object.
    filters.push(sql`labels LIKE ${toPattern(`"${label}":{`)} ESCAPE '!'`)
  }
  if (text !== undefined) {
    const pattern = toPattern(text)
    filters.push(sql.or(searchedColumns.map((column) => isLike(sql, { column, pattern }))))
  }
  return filters
}

const readUser = makeTryReader(Schema.decodeUnknownResult(UserId))

const readListed = Effect.fnUntraced(function* (row: Row) {
  const preset = yield* presets.tryRead(row)
  const latestCreatorId = yield* readUser(row.latest_creator_id, `latest version of ${preset.id}`)
  return { ...preset, latestCreatorId }
})

/** Creates the method that lists a workspace's presets, optionally filtered. */
const makeList = (sql: SqlClient.SqlClient, { isLike }: Pick<PresetStatements, "isLike">) =>
  function* (workspaceId: WorkspaceId, page: PresetPage) {
    const isListed = sql.and([
      sql`workspace_id = ${workspaceId}`,
      sql.literal(notRemoved),
      ...filtersOf(sql, { isLike, page })
    ])
    const rows = yield* sql<Row>`SELECT ${sql.literal(presets.columns)},
        (SELECT creator_id FROM verbatim_preset_versions WHERE preset_id = verbatim_presets.id
          AND version = verbatim_presets.latest_version) AS latest_creator_id
      FROM verbatim_presets WHERE ${isListed} ORDER BY updated_at DESC, id DESC
      LIMIT ${page.limit} OFFSET ${page.offset}`
    // The total is counted after the page is read. If presets are removed or changed in between,
    // which is rare, the total can be less than the number of presets on the page.
    const [counted] =
      yield* sql<Row>`SELECT count(*) AS total FROM verbatim_presets WHERE ${isListed}`
    const read = yield* Effect.forEach(rows, (row) => skipUnreadable(readListed(row)))
    return {
      presets: read.flatMap(Option.toArray),
      total: yield* readCount(counted?.total, `number of presets of ${workspaceId}`)
    }
  }

const readWorkspace = makeReader(WorkspaceId)

/** An SQL expression for a slug that cannot be requested and is different for each preset. */
const removedSlug = "'/removed/' || id"

const write = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { expectedRevision, id, presetId }: Removal,
  isStale: boolean
) {
  const removed = isStale
    ? []
    : yield* sql`UPDATE verbatim_presets SET status = ${removedStatus}, revision = revision + 1,
          slug = ${sql.literal(removedSlug)}
        WHERE id = ${presetId} AND revision = ${expectedRevision} AND status = 'Archived'
        RETURNING id`
  if (removed.length > 0) {
    const change = { id, preset_id: presetId, revision: expectedRevision + 1 }
    yield* sql`INSERT INTO verbatim_preset_changes ${sql.insert(change)}`
    return true
  }
  if (yield* isWritten(sql, id)) return true
  const existing = yield* sql`SELECT id FROM verbatim_presets
    WHERE id = ${presetId} AND ${sql.literal(notRemoved)}`
  if (existing.length === 0) return false
  return yield* makeRefusal("remove")({ _tag: "Superseded" })
})

interface RemovalStatements extends Pick<PresetStatements, "isAnyProtected"> {
  readonly reads: RowReads
  readonly shared: LockedTransaction
}

/**
 * Creates the methods that remove presets. The row of a removed preset gets a status for removed
 * presets, and a slug that cannot be requested, so that the original slug is free immediately. The
 * preset's rows are deleted later, a limited number at a time; until then, readers skip presets
 * with that status.
 */
const removalMethods = (
  sql: SqlClient.SqlClient,
  { isAnyProtected, reads, shared }: RemovalStatements
) => ({
  *remove(removal: Removal) {
    const [row] =
      yield* sql<Row>`SELECT workspace_id FROM verbatim_presets WHERE id = ${removal.presetId}`
    if (row === undefined) return false
    const workspaceId = yield* readWorkspace(row.workspace_id, `presets ${removal.presetId}`)
    const isStale = isAnyProtected(sql, { labels: removal.freeLabels, workspaceId })
    const decided = Effect.flatMap(isStale, (stale) => write(sql, removal, stale))
    return yield* shared(sql, labelLockName(workspaceId), decided)
  },
  sweep: Effect.fnUntraced(function* (rowMax: number) {
    // Presets that another process is deleting are skipped.
    const [preset] = yield* sql<Row>`SELECT id FROM verbatim_presets
        WHERE status = ${sql.literal(`'${removedStatus}'`)} ORDER BY id LIMIT 1
        ${sql.literal(reads.passingLocked)}`
    if (preset === undefined) return false
    yield* removeRows(sql, { presetId: preset.id, rowMax })
    return true
  }, sql.withTransaction)
})

/** Erases a version's content, and the hash of the request that created it. */
const eraseContent = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { erasure, next }: Pick<Revision, "erasure" | "next">
) {
  if (erasure === undefined) return
  const erased = toErasureText({ at: erasure.at, by: erasure.by })
  const [row] = yield* sql<Row>`UPDATE verbatim_preset_versions
    SET config = '{}', wins = NULL, system_prompt = NULL, erased = ${erased}
    WHERE preset_id = ${next.id} AND version = ${erasure.version} RETURNING id`
  if (row === undefined) return
  yield* sql`UPDATE verbatim_preset_keys SET fingerprint = '' WHERE version_id = ${row.id}`
})

/** Returns whether a change with this id was already written. */
const isWritten = (sql: SqlClient.SqlClient, id: PresetChangeId) =>
  Effect.map(
    sql`SELECT id FROM verbatim_preset_changes WHERE id = ${id}`,
    (written) => written.length > 0
  )

const isAnyFree = ({ freeLabels = [] }: Revision): boolean => freeLabels.length > 0

/**
 * Creates the method that replaces the mutable columns of a preset's row, if the row has not
 * changed since the read. Like a new version, the change begins with the preset's row, so that all
 * writers of a preset wait for this row. If the change requires labels to be unprotected, these
 * labels cannot be protected until the change is written.
 */
const makeRevise = (
  sql: SqlClient.SqlClient,
  {
    isAnyProtected,
    shared
  }: Pick<PresetStatements, "isAnyProtected"> & { shared: LockedTransaction }
) => {
  const write = Effect.fnUntraced(function* (revision: Revision) {
    const { designation, expectedRevision, freeLabels = [], id, label, next } = revision
    const isStale = yield* isAnyProtected(sql, { ...next, labels: freeLabels })
    const revised = isStale
      ? []
      : yield* sql`UPDATE verbatim_presets SET ${sql.update(toRevisedColumns(next))}
          WHERE id = ${next.id} AND revision = ${expectedRevision} AND ${sql.literal(notRemoved)}
          RETURNING id`
    if (revised.length === 0) {
      if (yield* isWritten(sql, id)) return
      return yield* makeRefusal("revise")({ _tag: "Superseded" })
    }
    const change = { id, preset_id: next.id, revision: next.revision }
    yield* sql`INSERT INTO verbatim_preset_changes ${sql.insert(change)}`
    if (Option.isSome(designation)) {
      yield* sql`INSERT INTO verbatim_preset_designations
        ${sql.insert(moveRow(designation.value))}`
    }
    if (label !== undefined) {
      const row = { ...moveRow(label), label: label.label }
      yield* sql`INSERT INTO verbatim_preset_label_moves ${sql.insert(row)}`
    }
    yield* eraseContent(sql, revision)
  })
  return (revision: Revision) =>
    retryDeadlock(sql)(
      isAnyFree(revision)
        ? shared(sql, labelLockName(revision.next.workspaceId), write(revision))
        : withSharedCommit(sql)(write(revision))
    )
}

// Deletes presets, a limited number of rows at a time.

/**
 * Tables with rows that refer to a preset. Each table is listed before the tables that it refers
 * to.
 */
const dependents = [
  { table: "verbatim_preset_designations", key: "preset_id, revision" },
  { table: "verbatim_preset_label_moves", key: "preset_id, revision" },
  { table: "verbatim_preset_changes", key: "id" }
] as const

/**
 * The preset to delete, and the maximum number of rows to delete. Keys are deleted together with
 * their versions.
 */
interface PresetDeletion {
  readonly presetId: unknown
  readonly rowMax: number
}

/**
 * Deletes up to the given number of a preset's rows, and finally the preset itself when no other
 * rows are left.
 */
const removeRows = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { presetId, rowMax }: PresetDeletion
) {
  let remaining = rowMax
  for (const { key, table } of dependents) {
    const removed = yield* sql`DELETE FROM ${sql.literal(table)}
      WHERE (${sql.literal(key)}) IN (SELECT ${sql.literal(key)} FROM ${sql.literal(table)}
        WHERE preset_id = ${presetId} LIMIT ${remaining}) RETURNING preset_id`
    remaining -= removed.length
    if (remaining === 0) return
  }
  const going = sql`SELECT id FROM verbatim_preset_versions
    WHERE preset_id = ${presetId} ORDER BY id LIMIT ${remaining}`
  yield* sql`DELETE FROM verbatim_preset_keys WHERE version_id IN (${going})`
  const versions =
    yield* sql`DELETE FROM verbatim_preset_versions WHERE id IN (${going}) RETURNING id`
  if (versions.length === remaining) return
  yield* sql`DELETE FROM verbatim_presets WHERE id = ${presetId}`
})

/** Deletes a workspace's keys and then its presets, one after another, up to the limit. */
const makeClear = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (workspaceId: WorkspaceId, rowMax: number) {
    const keys = yield* sql`DELETE FROM verbatim_preset_keys WHERE (workspace_id, key) IN (
        SELECT workspace_id, key FROM verbatim_preset_keys
        WHERE workspace_id = ${workspaceId} LIMIT ${rowMax}) RETURNING key`
    const remaining = rowMax - keys.length
    if (remaining === 0) return true
    const [preset] = yield* sql<Row>`SELECT id FROM verbatim_presets
        WHERE workspace_id = ${workspaceId} LIMIT 1`
    if (preset === undefined) {
      yield* sql`DELETE FROM verbatim_protected_labels WHERE workspace_id = ${workspaceId}`
      return false
    }
    yield* removeRows(sql, { presetId: preset.id, rowMax: remaining })
    return true
  }, sql.withTransaction)
