/**
 * The rows of a transcript: its text in pieces.
 */
import type { JobId } from "@verbatim/core/attempt"
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { together } from "./TranscriptChunks.ts"

/** A piece as it is read. */
export interface TranscriptChunk {
  readonly job_id: string
  readonly content: string
}

/** The text of all pieces; none when there are none. */
export const joinPieces = (pieces: ReadonlyArray<TranscriptChunk>): Option.Option<string> =>
  pieces.length === 0 ? Option.none() : Option.some(pieces.map(({ content }) => content).join(""))

/** Puts pieces in place of earlier ones: statements of a transaction. */
export const writePieces = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  id: JobId,
  pieces: ReadonlyArray<string>
) {
  yield* sql`DELETE FROM transcript_chunks WHERE job_id = ${id}`
  const rows = pieces.map((content, ordinal) => ({ job_id: id, ordinal, content }))
  for (const some of together(rows)) {
    yield* sql`INSERT INTO transcript_chunks ${sql.insert(some)}`
  }
})
