/**
 * Reads stored transcripts. Concurrent requests for small transcripts share a statement. A large
 * transcript is read separately, chunk by chunk, so that no other read waits for it and no
 * statement exceeds its time limit.
 */
import type { JobId } from "@verbatim/core/attempt"
import { Effect, Option, Semaphore } from "effect"
import type { SqlClient } from "effect/sql"
import type { JobStatements, ReadChunks } from "../../sql/job/JobStatements.ts"
import { firstChunk } from "../../sql/job/TranscriptChunks.ts"
import { makeBatched } from "../gather/Batching.ts"
import { isAmong } from "./BatchedReads.ts"
import { wordVector } from "./Tables.ts"

/** Maximum number of transcripts read by one statement. */
const togetherMax = 32

/**
 * Maximum number of large transcripts that are read concurrently. With more, the chunks of each
 * would arrive too slowly.
 */
const largeMax = 2

/**
 * Maximum bytes of a transcript that is read together with others: all of them together have at
 * most 1 MiB.
 */
const bytesTogetherMax = 32 * 1024

/** Number of chunks read by one statement, usually at most 3 MiB in UTF-8. */
const piecesMax = 16

interface PieceRow {
  readonly job_id: string
  readonly content: string
}

/** Reads the small transcripts, which have one chunk. */
const readSmall = (sql: SqlClient.SqlClient, ids: ReadonlyArray<string>) =>
  sql<PieceRow>`SELECT job_id, content FROM verbatim_transcript_chunks AS first
    WHERE ${isAmong(sql, "job_id", new Set(ids))}
      AND ordinal = ${firstChunk} AND octet_length(content) <= ${bytesTogetherMax}
      AND NOT EXISTS (SELECT 1 FROM verbatim_transcript_chunks AS second
        WHERE second.job_id = first.job_id AND second.ordinal = ${firstChunk + 1})`

/**
 * Reads a limited number of chunks at a time. No transaction is used, because a process that is
 * busy with the chunks it has read would be mistaken for a frozen one. A transcript is written only
 * once, so chunks of two transcripts are never mixed. If the job is deleted in the meantime, the
 * read returns nothing.
 */
const readLarge = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, id: string) {
  const [row] = yield* sql<{ readonly count: number }>`SELECT count(*) AS count
    FROM verbatim_transcript_chunks WHERE job_id = ${id}`
  const chunks: Array<string> = []
  const count = row?.count ?? 0
  for (let ordinal = 0; ordinal < count; ordinal += piecesMax) {
    const some = yield* sql<PieceRow>`SELECT job_id, content FROM verbatim_transcript_chunks
      WHERE job_id = ${id} AND ordinal >= ${ordinal} AND ordinal < ${ordinal + piecesMax}
      ORDER BY ordinal`
    for (const { content } of some) chunks.push(content)
  }
  return chunks.length === count ? chunks : []
})

/**
 * Makes the function that reads the chunks of a job's transcript. The result is empty if there is
 * no transcript.
 */
export const makeReadChunks = (sql: SqlClient.SqlClient): ReadChunks => {
  const large = Semaphore.makeUnsafe(largeMax)
  return makeBatched<JobId, ReadonlyArray<string>>(sql, {
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

/**
 * Finds transcripts by their words. No word contains a quote. The limit is outside of the subquery,
 * because with a limit, the planner might scan the table. The subquery stops at the limit too.
 */
export const findByWords: JobStatements["findByWords"] = (sql, words, limit) =>
  sql`WITH found AS MATERIALIZED (
      SELECT job_id FROM verbatim_search_texts WHERE ${sql.literal(wordVector("words"))} @@
        ${words.map((word) => `'${word}'`).join(" & ")}::tsquery)
    SELECT job_id FROM found LIMIT ${limit}`
