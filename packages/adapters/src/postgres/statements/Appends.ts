/**
 * Versions of presets, each written by one statement.
 */
import type { PresetStoreError } from "@verbatim/core/ports"
import {
  firstPreset,
  type PresetCondition,
  type PresetDraft,
  versionOf
} from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { buildAdvance, checkCondition, reasons, refusal } from "../../sql/preset/PresetAdvance.ts"
import * as PresetKeyRows from "../../sql/preset/PresetKeyRows.ts"
import { presets } from "../../sql/preset/PresetRows.ts"
import type { Append } from "../../sql/preset/PresetStatements.ts"
import { appendAtOnce, keyTurn, keyTurnOf } from "./AppendStatement.ts"
import { serverTime } from "./ServerTime.ts"

/** Writes the version of a draft. */
export const makeAppend = (sql: SqlClient.SqlClient): Append => {
  const writing = (stage: boolean) =>
    appendAtOnce(sql, {
      advance: (row) => sql`INSERT INTO verbatim_presets ${row} ${buildAdvance(sql, { stage })}`,
      stage
    })
  const [designate, stage] = [writing(false), writing(true)]
  /**
   * Postgres takes no further statement in a transaction in which one has failed, and why this one
   * did is asked by another.
   */
  const inSavepoint = <A, E>(write: Effect.Effect<A, E>) =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (around) =>
      Option.isSome(around) ? sql.withTransaction(write) : write
    )
  const append = Effect.fnUntraced(function* (draft: PresetDraft) {
    const created = firstPreset(draft)
    const addition = { draft, first: created, version: versionOf(created, draft) }
    const write = draft.stage ? stage(addition) : designate(addition)
    const [row] = yield* (Option.isSome(draft.request) ? inSavepoint(write) : write).pipe(
      Effect.catchReason("SqlError", "ConstraintError", (_, error) =>
        withoutVersion(sql, draft, error)
      )
    )
    if (row === undefined) {
      const isKeyed = Option.isSome(draft.request)
      return yield* refusal(isKeyed ? reasons.KeyTaken.make({}) : reasons.Archived.make({}))
    }
    const preset = yield* presets.read(row)
    return { preset, version: versionOf(preset, draft) }
  })

  /** A preset that is not there has no row to lock: whoever made it meanwhile shows in its id. */
  const appendIf = Effect.fnUntraced(function* (draft: PresetDraft, condition: PresetCondition) {
    const turn = Option.match(draft.request, {
      onNone: () => sql.literal(""),
      onSome: ({ key }) => sql`CROSS JOIN ${keyTurn(sql, keyTurnOf(draft, key))}`
    })
    yield* checkCondition(sql, {
      ...draft,
      condition,
      turn,
      lock: "FOR UPDATE OF verbatim_presets"
    }).pipe(Effect.catchTag("PresetStoreError", (error) => unlessTaken(sql, draft, error)))
    const made = yield* append(draft)
    const isOfAnother = condition.noneMatch === "any" && made.preset.id !== draft.presetId
    return isOfAnother ? yield* refusal(reasons.ConditionFailed.make({ unmet: "Exists" })) : made
  }, sql.withTransaction)

  return (draft) =>
    draft.condition === undefined ? append(draft) : appendIf(draft, draft.condition)
}

/** A key that is taken comes before a condition that fails. */
const unlessTaken = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { request, workspaceId }: PresetDraft,
  error: PresetStoreError
) {
  if (Option.isNone(request)) return yield* error
  const { key } = request.value
  const made = yield* PresetKeyRows.find(sql, { workspaceId, key, time: serverTime })
  return yield* Option.isSome(made) ? refusal(reasons.KeyTaken.make({})) : error
})

/** A broken reference although the workspace exists: the record of a key has no version. */
const withoutVersion = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { request, workspaceId }: PresetDraft,
  error: SqlError.SqlError
) {
  if (Option.isNone(request)) return yield* error
  const owners = yield* sql`SELECT id FROM verbatim_workspaces WHERE id = ${workspaceId}`
  return yield* owners.length === 0 ? error : refusal(reasons.Archived.make({}))
})
