/**
 * Stores a job's transcript in chunks, together with the webhook bodies that may be sent again. A
 * message to Postgres holds at most 16 MiB, and a ten-hour transcript takes 13 MB, or more if every
 * word has timestamps. When a transcript is read in parts, only one chunk is in memory at a time.
 */
import type { JobId } from "@verbatim/core/attempt"
import { KeptBody } from "@verbatim/core/delivery"
import type { BodyChange, TextRemoval } from "@verbatim/core/ports"
import { Transcript, type TranscriptCursor } from "@verbatim/core/transcription"
import { type Array, Effect, Option, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { json, makeReader, makeTryReader, type Row } from "../row/Row.ts"
import { encodeEvents } from "./JobRows.ts"

/** The ordinal of a transcript's first chunk. */
export const firstChunk = 0

const encode = Schema.encodeSync(Transcript)

/**
 * Returns the chunks to store, each with several consecutive segments: at least one, even if the
 * transcript has no segments.
 */
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
 * Creates a function that reads part of a transcript for `JobStore` with one statement, so that
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
 * Deletes a job's transcript, recognised pieces and stored body, and the texts in its history, in
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

// Stores webhook bodies. Few webhooks fail, so the table is small. A commit that neither stores nor
// removes a body does not access the table.

const readBody = makeReader(KeptBody)

/** Replaces an earlier body or deletes it, in the caller's transaction. */
export const writeBody = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { change, id }: { readonly id: JobId; readonly change: BodyChange }
): Effect.fn.Return<void, SqlError.SqlError> {
  yield* sql`DELETE FROM verbatim_kept_bodies WHERE job_id = ${id}`
  if (change._tag === "Forget") return
  const { body, contentType, deliveryId } = change.body
  const rows = split(body).map((content, ordinal) => ({
    job_id: id,
    ordinal,
    delivery_id: deliveryId,
    content_type: contentType,
    content
  }))
  for (const some of toBatches(rows))
    yield* sql`INSERT INTO verbatim_kept_bodies ${sql.insert(some)}`
})

/** Finds a job's stored webhook body. */
export const findBody = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, id: JobId) {
  const rows = yield* sql<Row>`SELECT delivery_id AS "deliveryId", content_type AS "contentType",
    content FROM verbatim_kept_bodies WHERE job_id = ${id} ORDER BY ordinal`
  const [first] = rows
  if (first === undefined) return Option.none<KeptBody>()
  const body = rows.map(({ content }) => content).join("")
  return Option.some(yield* readBody({ ...first, body }, `kept_bodies ${id}`))
})

/** Number of UTF-16 units in a chunk, which takes at most 192 KiB in UTF-8. */
const chunkLengthMax = 64 * 1024

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** Splits text into chunks, but never inside a character. Returns at least one chunk. */
const split = (text: string): ReadonlyArray<string> => {
  const chunks: Array<string> = []
  let start = 0
  do {
    const limit = start + chunkLengthMax
    const end = isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit
    chunks.push(text.slice(start, end))
    start = end
  } while (start < text.length)
  return chunks
}

/**
 * Maximum number of UTF-16 units per statement, unless a single chunk is longer. This many units
 * take at most 3 MiB in UTF-8.
 */
const batchMax = 16 * chunkLengthMax

/** Groups rows of chunks into one batch per statement. */
const toBatches = <Row extends { readonly content: string }>(
  rows: ReadonlyArray<Row>
): ReadonlyArray<Array.NonEmptyArray<Row>> => {
  const batches: Array<Array.NonEmptyArray<Row>> = []
  let length = 0
  for (const row of rows) {
    const open = batches.at(-1)
    length += row.content.length
    if (open === undefined || length > batchMax) {
      batches.push([row])
      length = row.content.length
    } else open.push(row)
  }
  return batches
}
