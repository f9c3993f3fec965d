/**
 * Writes the parts of a commit that have separate tables, among them recognised pieces. A piece
 * belongs to a job, and can be found by digest within the job's workspace.
 */

import type { JobId } from "@verbatim/core/attempt"
import type { Commit } from "@verbatim/core/ports"
import { Piece } from "@verbatim/core/transcription"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Array, Effect, Option, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { json, makeTryReader, type Row, skipUnreadable } from "../row/Row.ts"
import { addEntry } from "../workspace/Ledger.ts"
import { peaksColumn, toLedgerEntry } from "./JobRows.ts"
import * as SearchRows from "./SearchRows.ts"
import { forget, writeBody, writeChunks } from "./StoredTexts.ts"

const { digest, index, ...content } = Piece.fields
const Content = json(Schema.Struct(content))
const encode = Schema.encodeSync(Content)
const read = makeTryReader(
  Schema.decodeUnknownResult(Schema.Struct({ index, digest, content: Content }))
)

/** Returns the columns for a commit's piece, or undefined columns if the commit has no piece. */
export const pieceColumns = ({ piece }: Commit) =>
  piece === undefined
    ? {}
    : { piece_ordinal: piece.index, piece_digest: piece.digest, piece: encode(piece) }

/** Replaces a piece, in the caller's transaction. */
export const writePiece = (sql: SqlClient.SqlClient, { next, piece }: Commit) =>
  piece === undefined
    ? Effect.void
    : sql`INSERT INTO verbatim_pieces ${sql.insert({
        job_id: next.id,
        ordinal: piece.index,
        workspace_id: next.workspaceId,
        digest: piece.digest,
        content: encode(piece)
      })} ON CONFLICT (job_id, ordinal) DO UPDATE SET
        digest = excluded.digest, content = excluded.content`

/** A piece that cannot be read is omitted, and is then recognised again. */
const readPieces = (rows: ReadonlyArray<Row>, name: string) =>
  Effect.map(
    Effect.forEach(rows, (row) => skipUnreadable(read(row, name))),
    (found) =>
      Array.getSomes(found).map(({ content, ...piece }): Piece => ({ ...piece, ...content }))
  )

/** Creates a function that reads a job's pieces. */
export const makePieces = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (id: JobId, range?: { readonly from: number; readonly to: number }) {
    const within =
      range === undefined ? sql`` : sql`AND ordinal >= ${range.from} AND ordinal < ${range.to}`
    const rows = yield* sql<Row>`SELECT ordinal AS "index", digest, content FROM verbatim_pieces
      WHERE job_id = ${id} ${within} ORDER BY ordinal`
    return yield* readPieces(rows, `pieces ${id}`)
  })

/** Maximum number of rows to try for one digest, because some rows may be unreadable. */
const candidatesMax = 3

/** Creates a function that finds a workspace's piece by digest. */
export const makeFindPiece = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (workspaceId: WorkspaceId, digest: string) {
    const rows = yield* sql<Row>`SELECT ordinal AS "index", digest, content FROM verbatim_pieces
      WHERE workspace_id = ${workspaceId} AND digest = ${digest} LIMIT ${candidatesMax}`
    return Array.head(yield* readPieces(rows, `pieces of ${workspaceId}`))
  })

/**
 * Writes the transcript, the webhook body, removed text and the charge, in the caller's
 * transaction. The balance is written last, because other writers have to wait for it.
 */
export const writeParts = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  commit: Commit,
  chunks: ReadonlyArray<string>
): Effect.fn.Return<void, SqlError.SqlError> {
  const { body, forgotten, next } = commit
  const { id } = next
  if (chunks.length > 0) {
    yield* writeChunks(sql, { id, chunks, peaks: peaksColumn(commit) })
    yield* SearchRows.write(sql, commit)
  }
  if (Option.isSome(body)) yield* writeBody(sql, { id, change: body.value })
  if (forgotten !== undefined) yield* forget(sql, { id, forgotten })
  const entry = toLedgerEntry(commit)
  if (Option.isSome(entry)) yield* addEntry(sql, entry.value)
})
