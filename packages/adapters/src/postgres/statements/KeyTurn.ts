/**
 * The turn of an idempotency key for presets: an advisory lock. A write of a version under a key
 * takes it first, and then the rows of the key and of the preset, in an order that depends: with a
 * condition the preset first, so that nobody moves it, and without one the key first.
 */
import type { IdempotencyKey } from "@verbatim/core/idempotency"
import type { PresetDraft } from "@verbatim/core/preset"
import type { SqlClient, Statement } from "effect/sql"

/** The two names whose hashes are the lock. */
export type KeyTurn = readonly [space: string, name: string]

/** The names of the turn of a key, as parameters. */
export const keyTurnOf = (
  { workspaceId }: Pick<PresetDraft, "workspaceId">,
  key: IdempotencyKey
): KeyTurn => ["verbatim", `preset key of ${workspaceId}: ${key}`]

/** A fragment among the tables of a statement, which waits there until the turn is its own. */
export const keyTurn = (sql: SqlClient.SqlClient, [space, name]: KeyTurn): Statement.Fragment =>
  sql`pg_advisory_xact_lock(hashtext(${space}), hashtext(${name})) AS key_turn`
