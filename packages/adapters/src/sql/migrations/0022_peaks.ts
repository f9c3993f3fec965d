/** Transcripts have the peaks of their recording. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * In the first piece of a transcript, so that they go with it, whoever takes it. Null where there
 * are none, as in all that an older program writes.
 */
export const migration = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE verbatim_transcript_chunks ADD COLUMN peaks TEXT`
})
