/** Takes away the text of a job: its transcript, its kept body, and what its history quotes. */
import type { JobId } from "@verbatim/core/attempt"
import type { Forgotten } from "@verbatim/core/ports"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { encodeEvents } from "./JobRows.ts"
import { deletePieces } from "./TranscriptPieces.ts"

/** Statements of a transaction. */
export const forget = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { forgotten, id }: { readonly id: JobId; readonly forgotten: Forgotten }
): Effect.fn.Return<void, SqlError.SqlError> {
  yield* deletePieces(sql, { id })
  yield* sql`DELETE FROM verbatim_kept_bodies WHERE job_id = ${id}`
  for (const { events, revision } of forgotten.history) {
    yield* sql`UPDATE verbatim_job_history SET events = ${encodeEvents(events)}
      WHERE job_id = ${id} AND revision = ${revision}`
  }
})
