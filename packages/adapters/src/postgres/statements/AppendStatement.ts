/**
 * Adds a version to a preset in one statement, because Postgres allows writes inside a query. The
 * preset's row, for which all its writers wait, is thus locked for one round trip instead of five.
 */
import type { IdempotencyKey } from "@verbatim/core/idempotency"
import type { KeyedRequest, Preset, PresetDraft, PresetVersion } from "@verbatim/core/preset"
import { Option } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { addChange } from "../../sql/preset/PresetCounts.ts"
import * as PresetKeyRows from "../../sql/preset/PresetKeyRows.ts"
import { presets, presetVersions } from "../../sql/preset/PresetRows.ts"
import type { Row } from "../../sql/row/Row.ts"
import { emptyRow } from "../../sql/row/RowStatements.ts"
import { serverMillis } from "./ServerTime.ts"

/**
 * A preset idempotency key's lock: an advisory lock, identified by the hashes of two names. A write
 * of a version under a key takes this lock before it locks the rows of the key and the preset. A
 * write with a condition locks the preset's row first, so that the preset cannot change; a write
 * without a condition locks the key's row first.
 */
type KeyLock = readonly [space: string, name: string]

/** Returns the names of a key's lock, as parameters. */
export const keyLockOf = (
  { workspaceId }: Pick<PresetDraft, "workspaceId">,
  key: IdempotencyKey
): KeyLock => ["verbatim", `preset key of ${workspaceId}: ${key}`]

/** A FROM fragment that makes the statement wait for the lock. */
export const keyLock = (sql: SqlClient.SqlClient, [space, name]: KeyLock): Statement.Fragment =>
  sql`pg_advisory_xact_lock(hashtext(${space}), hashtext(${name})) AS key_turn`

/** The version, and the preset that the version creates if it is the first one. */
interface Addition {
  readonly draft: PresetDraft
  readonly first: Preset
  readonly version: PresetVersion
}

/**
 * The clause that assigns a preset's next version number, and whether the new version is only
 * staged.
 */
interface AdvanceOptions {
  readonly advance: (first: Statement.Fragment | Statement.RecordInsertHelper) => Statement.Fragment
  readonly stage: boolean
}

/** The parts in which the texts of the statements differ. */
interface Parts {
  readonly before: Statement.Fragment
  readonly preset: Statement.Fragment
  /** The condition on which the version is designated. */
  readonly which: string
}

/** A staged version is designated only if it is the first one. */
const designateCondition = (stage: boolean): string =>
  stage ? `WHERE "presets.latestVersion" = 1` : ""

/** Compiles the text. `before` is placed first, and `preset` writes the preset's row. */
const textOf = (sql: SqlClient.SqlClient, { before, preset, which }: Parts): string => {
  const none = emptyRow(presetVersions.names)
  const [text] = sql<Row>`
    WITH ${before} preset AS (${preset}),
    version AS (
      INSERT INTO verbatim_preset_versions
        (id, preset_id, version, creator_id, request_format, system_prompt, config, wins, comment,
        created_at, updated_at)
      SELECT ${none.id}, "presets.id", "presets.latestVersion", ${none.creator_id},
        ${none.request_format}, ${none.system_prompt}, ${none.config}, ${none.wins},
        ${none.comment}, ${none.created_at}, ${none.updated_at} FROM preset),
    counted AS (
      INSERT INTO verbatim_preset_counts (workspace_id, id, change)
      SELECT "presets.workspaceId", "presets.id", 1 FROM preset WHERE "presets.latestVersion" = 1
      ${sql.literal(addChange)}),
    designation AS (
      INSERT INTO verbatim_preset_designations (preset_id, revision, version, user_id, at)
      SELECT "presets.id", "presets.revision", "presets.latestVersion", ${none.creator_id},
        ${none.created_at} FROM preset ${sql.literal(which)})
    SELECT * FROM preset`.compile()
  return text
}

/** A row of placeholders, selected from `claim`. If `claim` has no row, nothing is selected. */
const rowOfClaim = (sql: SqlClient.SqlClient, columns: ReadonlyArray<string>) => {
  const values = sql.csv(columns.map(() => sql`${null}`))
  return sql`(${sql.csv([...columns])}) SELECT ${values} FROM claim`
}

/**
 * Writes the key's record first, so that a request whose key is taken never waits for the preset.
 */
const withClaim = (sql: SqlClient.SqlClient) => sql`claim AS (
  INSERT INTO verbatim_preset_keys (${sql.literal(PresetKeyRows.columns)})
  SELECT ${null}, ${null}, ${null}, ${null}, ${serverMillis(sql)} FROM ${keyLock(sql, emptyKeyLock)}
  ${sql.literal(PresetKeyRows.replaceClause)} RETURNING version_id),`

/** Placeholder for a lock's names, which each write passes as parameters. */
const emptyKeyLock: KeyLock = ["", ""]

/**
 * Makes a statement that writes all rows and returns the preset's row. If the key is taken, or if
 * `advance` finds a preset that accepts no version, the statement returns no row and writes
 * nothing. The key is claimed before that check, but its record refers to the version, so the whole
 * statement fails if there is no version. The rows of the version and the designation get the id,
 * the number and the revision that `advance` returns. The texts are compiled once.
 */
export const makeAppendStatement = (
  sql: SqlClient.SqlClient,
  { advance, stage }: AdvanceOptions
): ((addition: Addition) => Statement.Statement<Row>) => {
  const which = designateCondition(stage)
  const plain = textOf(sql, {
    before: sql.literal(""),
    preset: advance(sql.insert(emptyRow(presets.names))),
    which
  })
  const keyed = textOf(sql, {
    before: withClaim(sql),
    preset: advance(rowOfClaim(sql, presets.names)),
    which
  })
  return ({ draft, first, version }) => {
    const preset = presets.row(first)
    const row = presetVersions.row(version)
    const values = [
      ...presets.names.map((name) => preset[name]),
      ...[row.id, row.creator_id, row.request_format, row.system_prompt, row.config, row.wins],
      ...[row.comment, row.created_at, row.updated_at],
      ...[row.creator_id, row.created_at]
    ]
    return Option.match(draft.request, {
      onNone: () => sql.unsafe<Row>(plain, values),
      onSome: (request: KeyedRequest) =>
        sql.unsafe<Row>(keyed, [
          ...PresetKeyRows.recordOf(draft, request),
          ...keyLockOf(draft, request.key),
          ...values
        ])
    })
  }
}
