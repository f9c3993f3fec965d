/**
 * Transcripts as they are stored. Small ones requested at the same time are read by one statement;
 * a large one is read by itself, piece by piece, so that no other waits for it and none takes
 * longer than a statement may.
 */
import type { JobId } from "@verbatim/core/attempt"
import { Effect, Option, Semaphore } from "effect"
import type { SqlClient } from "effect/sql"
import type { ReadPieces } from "../../sql/job/JobStatements.ts"
import { firstPiece } from "../../sql/job/TranscriptPieces.ts"
import { gather } from "../gather/Gathered.ts"
import { isAmong } from "./GatheredRows.ts"

/** Transcripts read by one statement. */
const togetherMax = 32

/** Large ones that are read at a time. With more, the pieces of each would come too slowly. */
const largeMax = 2

/** Most bytes of a transcript that is read with others: 1 MiB for all of them. */
const bytesTogetherMax = 32 * 1024

/** Pieces read by one statement: in UTF-8 mostly at most 3 MiB. */
const piecesMax = 16

interface PieceRow {
  readonly job_id: string
  readonly content: string
}

/** The small ones: those of one piece. */
const readSmall = (sql: SqlClient.SqlClient, ids: ReadonlyArray<string>) =>
  sql<PieceRow>`SELECT job_id, content FROM verbatim_transcript_chunks AS first
    WHERE ${isAmong(sql, "job_id", new Set(ids))}
      AND ordinal = ${firstPiece} AND octet_length(content) <= ${bytesTogetherMax}
      AND NOT EXISTS (SELECT 1 FROM verbatim_transcript_chunks AS second
        WHERE second.job_id = first.job_id AND second.ordinal = ${firstPiece + 1})`

/**
 * Some pieces at a time. Not in a transaction: a process that is busy with what it has read would
 * be taken for a frozen one. A transcript is written once, so pieces of two never mix; if the job
 * is deleted meanwhile, the read is abandoned.
 */
const readLarge = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, id: string) {
  const [row] = yield* sql<{ readonly count: number }>`SELECT count(*) AS count
    FROM verbatim_transcript_chunks WHERE job_id = ${id}`
  const pieces: Array<string> = []
  const count = row?.count ?? 0
  for (let ordinal = 0; ordinal < count; ordinal += piecesMax) {
    const some = yield* sql<PieceRow>`SELECT job_id, content FROM verbatim_transcript_chunks
      WHERE job_id = ${id} AND ordinal >= ${ordinal} AND ordinal < ${ordinal + piecesMax}
      ORDER BY ordinal`
    for (const { content } of some) pieces.push(content)
  }
  return pieces.length === count ? pieces : []
})

/** The pieces of a job's transcript; none when it has none. */
export const makeReadPieces = (sql: SqlClient.SqlClient): ReadPieces => {
  const large = Semaphore.makeUnsafe(largeMax)
  return gather<JobId, ReadonlyArray<string>>(sql, {
    name: "transcript",
    sizeMax: togetherMax,
    subjects: () => [],
    answerAll: (ids) =>
      Effect.map(readSmall(sql, ids), (found) => {
        const texts = new Map(found.map(({ content, job_id }) => [job_id, [content]]))
        return ids.map((id) => Option.fromUndefinedOr(texts.get(id)))
      }),
    answerOne: (id) => large.withPermits(1)(readLarge(sql, id))
  })
}
