/**
 * The turn of an idempotency key for presets. Whoever writes a version under a key takes it first,
 * and then the rows of the key and of the preset in any order: one with a condition takes the
 * preset first, so that nobody moves it, and one without takes the key first.
 */
import type { IdempotencyKey } from "@verbatim/core/idempotency"
import type { PresetDraft } from "@verbatim/core/preset"
import type { SqlClient, Statement } from "effect/sql"
import { lockSpaceOf } from "../../sql/names/ClientTraits.ts"

/** What a turn is known by. */
export type KeyTurn = readonly [space: string, name: string]

/** The turn of a key, as parameters. */
export const keyTurnOf = (
  sql: SqlClient.SqlClient,
  { workspaceId }: Pick<PresetDraft, "workspaceId">,
  key: IdempotencyKey
): KeyTurn => [lockSpaceOf(sql), `preset key of ${workspaceId}: ${key}`]

/** Stands among the tables of a statement, which goes on when the turn has come. */
export const keyTurn = (sql: SqlClient.SqlClient, [space, name]: KeyTurn): Statement.Fragment =>
  sql`pg_advisory_xact_lock(hashtext(${space}), hashtext(${name})) AS key_turn`
