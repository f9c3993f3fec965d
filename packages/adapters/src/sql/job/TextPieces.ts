/**
 * A long text in pieces: one message to Postgres holds at most 16 MiB, and ten hours of transcript
 * are 13 MB or, with every word timed, more. A reader of parts has two pieces in memory.
 */
import type { JobId } from "@verbatim/core/attempt"
import { Array, Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"

/**
 * UTF-16 units in a piece: in UTF-8 at most 192 KiB. Former versions wrote 1 Mi in each, and the
 * database reads such a piece whole for every part.
 */
const chunkLengthMax = 64 * 1024

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** The pieces in order, none of them ending inside a character. A text has at least one. */
export const split = (text: string): ReadonlyArray<string> => {
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

/** Chunks in one statement: 3 MiB at most, of the 16 that a message may hold. */
const togetherMax = 16

/** Rows of chunks as statements take them. */
export const together = <Row>(rows: ReadonlyArray<Row>): ReadonlyArray<Array.NonEmptyArray<Row>> =>
  Array.chunksOf(rows, togetherMax)

/** The ordinal of the piece that a text begins with. */
export const firstPiece = 0

/** A piece of a transcript as it is read. */
export interface TranscriptChunk {
  readonly job_id: string
  readonly content: string
}

/** The text of all its pieces; none when there are none. */
export const joinPieces = (pieces: ReadonlyArray<TranscriptChunk>): Option.Option<string> =>
  pieces.length === 0 ? Option.none() : Option.some(pieces.map(({ content }) => content).join(""))

/** Deletes the pieces of a transcript, and with the first one whatever refers to it. */
export const deletePieces = (sql: SqlClient.SqlClient, { id }: { readonly id: JobId }) =>
  sql`DELETE FROM verbatim_transcript_chunks WHERE job_id = ${id}`

/** Puts the pieces of a transcript in place of earlier ones: statements of a transaction. */
export const writePieces = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  transcript: {
    readonly id: JobId
    readonly pieces: ReadonlyArray<string>
    /** Stored with the first piece. */
    readonly peaks: string | null
  }
) {
  const { id, peaks, pieces } = transcript
  yield* deletePieces(sql, { id })
  const rows = pieces.map((content, index) => ({
    job_id: id,
    ordinal: firstPiece + index,
    content,
    peaks: index === 0 ? peaks : null
  }))
  for (const some of together(rows)) {
    yield* sql`INSERT INTO verbatim_transcript_chunks ${sql.insert(some)}`
  }
})
