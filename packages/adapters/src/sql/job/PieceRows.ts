/**
 * Stores recognised pieces. A piece belongs to a job, and can be found by digest within the job's
 * workspace.
 */
import type { JobId } from "@verbatim/core/attempt"
import type { Commit } from "@verbatim/core/ports"
import { Piece } from "@verbatim/core/transcription"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Array, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { json, makeTryReader, type Row, skipUnreadable } from "../row/Row.ts"

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
export const write = (sql: SqlClient.SqlClient, { next, piece }: Commit) =>
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

/** Creates the function that reads a job's pieces. */
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

/** Creates the function that finds a workspace's piece by digest. */
export const makeFindPiece = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (workspaceId: WorkspaceId, digest: string) {
    const rows = yield* sql<Row>`SELECT ordinal AS "index", digest, content FROM verbatim_pieces
      WHERE workspace_id = ${workspaceId} AND digest = ${digest} LIMIT ${candidatesMax}`
    return Array.head(yield* readPieces(rows, `pieces of ${workspaceId}`))
  })
