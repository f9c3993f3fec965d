/**
 * Stores a transcript in chunks, each of which contains several consecutive segments. A ten-hour
 * transcript takes 13 MB, or more if every word has timestamps. When a transcript is read in parts,
 * only one chunk is in memory at a time.
 */
import type { JobId } from "@verbatim/core/attempt"
import type { TextRemoval } from "@verbatim/core/ports"
import { Transcript, type TranscriptCursor } from "@verbatim/core/transcription"
import { Effect, Option, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { json, makeTryReader } from "../row/Row.ts"
import { encodeEvents } from "./JobRows.ts"
import { chunkLengthMax, toBatches } from "./TextChunks.ts"

/** The ordinal of a transcript's first chunk. */
export const firstChunk = 0

const encode = Schema.encodeSync(Transcript)

/** Returns the chunks to store: at least one, even if the transcript has no segments. */
export const toTranscriptChunks = (transcript: Transcript): ReadonlyArray<string> => {
  const { segments, ...head } = encode(transcript)
  const begin = `${JSON.stringify(head).slice(0, -1)},"segments":[`
  const chunks: Array<string> = []
  let open: Array<string> = []
  let length = 0
  for (const segment of segments) {
    const text = JSON.stringify(segment)
    if (open.length > 0 && length + text.length > chunkLengthMax) {
      chunks.push(`${begin}${open.join(",")}]}`)
      open = []
      length = 0
    }
    open.push(text)
    length += text.length
  }
  return [...chunks, `${begin}${open.join(",")}]}`]
}

const readChunk = makeTryReader(Schema.decodeUnknownResult(json(Transcript)))

const nameOf = (id: JobId) => `transcript_chunks ${id}`

/** Reads a whole transcript. Returns none if no chunk is stored. */
export const readTranscript = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, id: JobId) {
  const chunks = yield* sql<{ readonly content: string }>`SELECT content
    FROM verbatim_transcript_chunks WHERE job_id = ${id} ORDER BY ordinal`
  const [first, ...rest] = yield* Effect.forEach(chunks, ({ content }) =>
    readChunk(content, nameOf(id))
  )
  if (first === undefined || rest.length === 0) return Option.fromUndefinedOr(first)
  const segments = [first, ...rest].flatMap(({ segments }) => segments)
  return Option.some({ ...first, segments })
})

interface ChunkRow {
  readonly content: string
  readonly has_more: boolean | number
}

/**
 * Creates the function that reads part of a transcript for `JobStore` with one statement, so that
 * nothing stays open between parts.
 */
export const makePart = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (id: JobId, before: Option.Option<TranscriptCursor>) {
    const ordinal = Option.getOrElse(
      Option.flatMap(before, ({ next }) => next),
      () => firstChunk
    )
    const [row] = yield* sql<ChunkRow>`SELECT content, EXISTS (
        SELECT 1 FROM verbatim_transcript_chunks WHERE job_id = ${id} AND ordinal = ${ordinal + 1}
      ) AS has_more
      FROM verbatim_transcript_chunks WHERE job_id = ${id} AND ordinal = ${ordinal}`
    if (row === undefined) return Option.none()
    const part = yield* readChunk(row.content, nameOf(id))
    return Option.some({ ...part, next: row.has_more ? Option.some(ordinal + 1) : Option.none() })
  })

/** Deletes a transcript, together with everything that refers to the first chunk. */
const deleteChunks = (sql: SqlClient.SqlClient, { id }: { readonly id: JobId }) =>
  sql`DELETE FROM verbatim_transcript_chunks WHERE job_id = ${id}`

/** Replaces a transcript's chunks, in the caller's transaction. */
export const writeChunks = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  transcript: {
    readonly id: JobId
    readonly chunks: ReadonlyArray<string>
    /** The peaks, which are stored with the first chunk. */
    readonly peaks: string | null
  }
) {
  const { chunks, id, peaks } = transcript
  yield* deleteChunks(sql, { id })
  const rows = chunks.map((content, index) => ({
    job_id: id,
    ordinal: firstChunk + index,
    content,
    peaks: index === 0 ? peaks : null
  }))
  for (const some of toBatches(rows)) {
    yield* sql`INSERT INTO verbatim_transcript_chunks ${sql.insert(some)}`
  }
})

/**
 * Deletes the transcript, the recognised pieces, the stored body and the texts in the history, in
 * the caller's transaction.
 */
export const forget = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { forgotten, id }: { readonly id: JobId; readonly forgotten: TextRemoval }
): Effect.fn.Return<void, SqlError.SqlError> {
  yield* deleteChunks(sql, { id })
  yield* sql`DELETE FROM verbatim_pieces WHERE job_id = ${id}`
  yield* sql`DELETE FROM verbatim_kept_bodies WHERE job_id = ${id}`
  for (const { events, revision } of forgotten.history) {
    yield* sql`UPDATE verbatim_job_history SET events = ${encodeEvents(events)}
      WHERE job_id = ${id} AND revision = ${revision}`
  }
})
