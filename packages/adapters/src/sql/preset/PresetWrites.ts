/**
 * The two writes of a preset: another version, and a change of the preset itself. The row of the
 * preset comes first in both, so that writers of one preset wait for each other there.
 */

import { PresetStoreError, type Revision, trace } from "@verbatim/core/ports"
import type { PresetDraft } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { withSharedCommit } from "../session/SharedCommit.ts"
import { reasons } from "./PresetAdvance.ts"
import { mapSqlError } from "./PresetFailure.ts"
import * as PresetKeyRows from "./PresetKeyRows.ts"
import { designationRow, revisedColumns } from "./PresetRows.ts"
import type { Append } from "./PresetStatements.ts"

type Failure = SqlError.SqlError | PresetStoreError

/** Whether the draft may be there already. */
const isRefused = (error: Failure): boolean =>
  error._tag === "PresetStoreError" || error.reason._tag === "UniqueViolation"

/** Keyed versions of a process per sweep: each of them pays for a tenth of a statement. */
const sweepEvery = 10

/** How versions are written, and how lapsed keys are swept. */
interface Appending {
  readonly append: Append
  readonly sweep: Effect.Effect<void, SqlError.SqlError>
}

/** Adds a version. The row of the preset assigns the numbers: whoever holds it has the next one. */
export const makeAppend = (sql: SqlClient.SqlClient, { append, sweep }: Appending) => {
  /** A draft that was appended before is refused as well: then its version is the answer. */
  const refused = (draft: PresetDraft, error: Failure) =>
    Effect.flatMap(
      PresetKeyRows.findDrafted(sql, draft.versionId),
      Option.match({ onNone: () => Effect.fail(error), onSome: Effect.succeed })
    )

  let keyedCount = 0
  const sweepNowAndThen = Effect.flatMap(Effect.serviceOption(sql.transactionService), (outer) =>
    // In a transaction others would wait for the records until its end.
    Option.isNone(outer) && keyedCount++ % sweepEvery === 0 ? Effect.ignore(sweep) : Effect.void
  )

  return trace("SqlPresetStore.append")(function* (draft: PresetDraft) {
    const written = yield* append(draft).pipe(
      Effect.catchIf(isRefused, (error) => refused(draft, error))
    )
    if (Option.isSome(draft.request)) yield* sweepNowAndThen
    return written
  }, mapSqlError("append"))
}

/** Replaces what may change in the row of a preset, if nobody else has changed it since. */
export const makeRevise = (sql: SqlClient.SqlClient) =>
  trace("SqlPresetStore.revise")(
    function* ({ designation, expectedRevision, id, next }: Revision) {
      const revised = yield* sql`UPDATE presets SET ${sql.update(revisedColumns(next))}
        WHERE id = ${next.id} AND revision = ${expectedRevision} RETURNING id`
      if (revised.length === 0) {
        const made = yield* sql`SELECT id FROM preset_changes WHERE id = ${id}`
        if (made.length > 0) return
        const reason = reasons.Superseded.make({})
        return yield* new PresetStoreError({ operation: "revise", reason })
      }
      const change = { id, preset_id: next.id, revision: next.revision }
      yield* sql`INSERT INTO preset_changes ${sql.insert(change)}`
      if (Option.isNone(designation)) return
      yield* sql`INSERT INTO preset_designations ${sql.insert(designationRow(designation.value))}`
    },
    withSharedCommit(sql),
    mapSqlError("revise")
  )
