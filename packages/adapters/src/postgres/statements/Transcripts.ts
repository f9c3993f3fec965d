/**
 * Transcripts as they are stored. Small ones requested at the same time are read by one statement;
 * a large one is read by itself, piece by piece, so that no other waits for it and none takes
 * longer than a statement may.
 */
import type { JobId } from "@verbatim/core/attempt"
import { Effect, Option, Semaphore } from "effect"
import type { SqlClient } from "effect/sql"
import type { ReadTranscript } from "../../sql/job/JobStatements.ts"
import { firstPiece, joinPieces, type TranscriptChunk } from "../../sql/job/TextPieces.ts"
import { gather } from "../gather/Gathered.ts"
import { isAmong } from "./GatheredRows.ts"

/** Transcripts read by one statement. */
const togetherMax = 32

/** Large ones that are read at a time. With more, the pieces of each would come too slowly. */
const largeMax = 2

/** Most bytes of a transcript that is read with others: half a piece, and 1 MiB for all of them. */
const bytesTogetherMax = 32 * 1024

/** Pieces read by one statement: in UTF-8 at most 3 MiB. */
const piecesMax = 16

/** The small ones. All pieces but the last are full, so that half a first piece is the whole. */
const readSmall = (sql: SqlClient.SqlClient, ids: ReadonlyArray<string>) =>
  sql<TranscriptChunk>`SELECT job_id, content FROM verbatim_transcript_chunks
    WHERE ${isAmong(sql, "job_id", new Set(ids))}
      AND ordinal = ${firstPiece} AND octet_length(content) <= ${bytesTogetherMax}`

/**
 * Some pieces at a time. Not in a transaction: a process that is busy with what it has read would
 * be taken for a frozen one. A transcript is written once, so pieces of two never mix; if the job
 * is deleted meanwhile, the read is abandoned.
 */
const readInPieces = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, id: string) {
  const [row] = yield* sql<{ readonly count: number }>`SELECT count(*) AS count
    FROM verbatim_transcript_chunks WHERE job_id = ${id}`
  const pieces: Array<TranscriptChunk> = []
  const count = row?.count ?? 0
  for (let ordinal = 0; ordinal < count; ordinal += piecesMax) {
    const some = yield* sql<TranscriptChunk>`SELECT job_id, content FROM verbatim_transcript_chunks
      WHERE job_id = ${id} AND ordinal >= ${ordinal} AND ordinal < ${ordinal + piecesMax}
      ORDER BY ordinal`
    pieces.push(...some)
  }
  return pieces.length === count ? pieces : []
})

/** The text of a job's transcript; none when it has none. */
export const makeTranscript = (sql: SqlClient.SqlClient): ReadTranscript => {
  const large = Semaphore.makeUnsafe(largeMax)
  return gather<JobId, Option.Option<string>>(sql, {
    name: "transcript",
    sizeMax: togetherMax,
    subjects: () => [],
    answerAll: (ids) =>
      Effect.map(readSmall(sql, ids), (found) => {
        const texts = new Map(found.map(({ content, job_id }) => [job_id, content]))
        return ids.map((id) => Option.map(Option.fromUndefinedOr(texts.get(id)), Option.some))
      }),
    answerOne: (id) => Effect.map(large.withPermits(1)(readInPieces(sql, id)), joinPieces)
  })
}
