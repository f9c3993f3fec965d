/**
 * The callback ids of jobs that an older program wrote. It does not know their column, which then
 * is null: whoever looks for a callback id notes theirs first.
 */
import type { JobId } from "@verbatim/core/attempt"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Effect, Option, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Rows of one look: each is a job whole. */
const batchMax = 500

const State = Schema.fromJsonString(
  Schema.Struct({ request: Schema.Struct({ callbackId: Schema.NullOr(Schema.String) }) })
)

const decode = Schema.decodeUnknownOption(State)

/** The callback id in a stored state; empty where it has none, or cannot be read. */
export const callbackIdIn = (state: unknown): string =>
  Option.match(decode(state), {
    onNone: () => "",
    onSome: ({ request }) => request.callbackId ?? ""
  })

interface Unnoted {
  readonly id: JobId
  readonly state: string
}

/** Notes the callback ids of some jobs, and says whether there may be more of them. */
const noteSome = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, workspaceId: WorkspaceId) {
  const rows = yield* sql<Unnoted>`SELECT id, state FROM verbatim_jobs
    WHERE workspace_id = ${workspaceId} AND callback_id IS NULL LIMIT ${batchMax}`
  for (const { id, state } of rows) {
    yield* sql`UPDATE verbatim_jobs SET callback_id = ${callbackIdIn(state)} WHERE id = ${id}`
  }
  return rows.length === batchMax
})

/** Notes the callback ids of all jobs of a workspace of which none is noted: mostly of no job. */
export const noteAll = (
  sql: SqlClient.SqlClient,
  workspaceId: WorkspaceId
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.repeat(noteSome(sql, workspaceId), { while: (hasMore) => hasMore }).pipe(Effect.asVoid)
