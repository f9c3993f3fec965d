/**
 * Transcripts, each read as a whole.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { ReadTranscript } from "../../sql/job/JobStatements.ts"
import { joinPieces, type TranscriptChunk } from "../../sql/job/TranscriptRows.ts"

/** The text of a job's transcript; none when it has none. */
export const makeTranscript =
  (sql: SqlClient.SqlClient): ReadTranscript =>
  (id) =>
    Effect.map(
      sql<TranscriptChunk>`SELECT job_id, content FROM transcript_chunks
    WHERE job_id = ${id} ORDER BY ordinal`,
      joinPieces
    )
