/**
 * Stores jobs in SQL. A job, its history, its transcript and its pending work are written in one
 * transaction.
 */
import type { JobId } from "@verbatim/core/attempt"
import { keyKept } from "@verbatim/core/idempotency"
import { type Commit, type DatabaseIdentity, JobStore } from "@verbatim/core/ports"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { makeFindPiece, makePieces } from "./job/CommitParts.ts"
import * as DeletionRows from "./job/DeletionRows.ts"
import * as IdempotencyRows from "./job/IdempotencyRows.ts"
import { makeFindChanges } from "./job/JobChanges.ts"
import { makeFind, makeHasAny, makeList, makeRemove } from "./job/JobReads.ts"
import {
  jobFormat,
  readEntry,
  readJob,
  readPeaks,
  supersededError,
  toStoreError
} from "./job/JobRows.ts"
import type { WriteCommit } from "./job/JobStatements.ts"
import * as SearchRows from "./job/SearchRows.ts"
import {
  findBody,
  firstChunk,
  makePart,
  readTranscript,
  toTranscriptChunks
} from "./job/StoredTexts.ts"
import { type Row, skipUnreadable } from "./row/Row.ts"
import type { RowReads } from "./row/RowStatements.ts"
import { makeStore } from "./row/StoreMethods.ts"
import { makeKeySweep, sweepForever } from "./row/Sweep.ts"
import { Statements } from "./Statements.ts"
import { countUnfinished } from "./work/WorkRows.ts"

interface PresentRow {
  readonly id: JobId
  readonly format: number
  readonly state: unknown
}

const makeCommit = (write: WriteCommit) =>
  function* (commit: Commit) {
    const chunks = Option.map(commit.transcript, toTranscriptChunks)
    const isWritten = yield* write(
      commit,
      Option.getOrElse(chunks, () => [])
    )
    if (!isWritten) return yield* supersededError("commit")
  }

const storeOf = makeStore(JobStore, "SqlJobStore", toStoreError)

/** Creates the methods that read the data stored with one or several jobs. */
const makeReads = (sql: SqlClient.SqlClient, { isAmong }: RowReads) => {
  return {
    *progress(id: JobId) {
      const [row] = yield* sql<{ readonly progress: number | null }>`
        SELECT progress FROM verbatim_work WHERE job_id = ${id}`
      return Option.map(Option.fromNullishOr(row?.progress), (thousandths) => thousandths / 1_000)
    },

    *peaks(id: JobId) {
      const [row] = yield* sql<{ readonly peaks: string | null }>`
        SELECT peaks FROM verbatim_transcript_chunks WHERE job_id = ${id}
          AND ordinal = ${firstChunk}`
      const text = Option.fromNullishOr(row?.peaks)
      if (Option.isNone(text)) return Option.none()
      return Option.some(yield* readPeaks(text.value, `transcript_chunks ${id}`))
    },

    *history(id: JobId) {
      const rows = yield* sql<Row>`SELECT revision, at, token, events FROM verbatim_job_history
        WHERE job_id = ${id} ORDER BY revision`
      return yield* Effect.forEach(rows, (row) =>
        readEntry(row, `job_history ${id} ${row.revision}`)
      )
    },

    *present(ids: ReadonlyArray<JobId>) {
      const rows = yield* sql<PresentRow>`
        SELECT id, format, state FROM verbatim_jobs
        WHERE ${isAmong(sql, "id", ids)}`
      const found = yield* Effect.forEach(rows, ({ format, id, state }) => {
        const job =
          format > jobFormat ? Effect.succeedNone : skipUnreadable(readJob(state, `jobs ${id}`), id)
        return Effect.map(job, (read) => [id, read] as const)
      })
      return new Map(found)
    }
  }
}

/** Provides `JobStore` over any `SqlClient` with a migrated database. */
export const layer: Layer.Layer<JobStore, never, SqlClient.SqlClient | Statements> = Layer.effect(
  JobStore
)(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const statements = yield* Statements
    const { jobs, reads, schema, time } = statements
    const parts = { ...jobs, ...reads }
    const table = "verbatim_idempotency_keys"
    const expired = { table, what: "Expired idempotency keys", age: keyKept, reads, time } as const
    yield* Effect.forkScoped(sweepForever(makeKeySweep(sql, expired)))
    yield* Effect.forkScoped(sweepForever(DeletionRows.makeSweep(sql, statements)))

    return storeOf({
      databaseIdentity: findMarker(sql, schema.identify),
      adoptMedia: (wanted) => writeMarker(sql, schema.identify, wanted),
      now: Effect.map(time.millis(sql), DateTime.makeUnsafe),
      insert: jobs.makeInsert(sql),
      unfinished: (query) => countUnfinished(sql, query),
      idempotency: (workspaceId, key) => IdempotencyRows.find(sql, { workspaceId, key }),
      find: makeFind(sql),
      list: makeList(sql, statements),
      moments: SearchRows.makeMoments(sql, reads),
      hasAny: makeHasAny(sql),
      remove: makeRemove(sql, statements),
      commit: makeCommit(yield* jobs.makeCommit(sql)),
      transcript: (id) => readTranscript(sql, id),
      transcriptPart: makePart(sql),
      pieces: makePieces(sql),
      findPiece: makeFindPiece(sql),
      changes: makeFindChanges(sql, parts),
      keptBody: (id) => findBody(sql, id),
      ...makeReads(sql, reads)
    })
  })
)

type Sql = SqlClient.SqlClient

/** Returns the database's identity. Copies of the database have different identities. */
type Identify = (sql: Sql) => Effect.Effect<string, SqlError.SqlError>

interface MarkRow {
  readonly identity: string
  readonly created_at: number
  readonly marker: string | null
  readonly owner: string | null
}

/** Reads the identities of the database and of its media store. */
const findMarker = Effect.fnUntraced(function* (
  sql: Sql,
  identify: Identify
): Effect.fn.Return<DatabaseIdentity, SqlError.SqlError> {
  const database = yield* identify(sql)
  const [row] = yield* sql<MarkRow>`SELECT identity, created_at, marker, owner
    FROM verbatim_database_identity LEFT JOIN verbatim_media_mark
      ON verbatim_media_mark.id = verbatim_database_identity.id`
  return {
    identity: `${row?.identity}-${database}`,
    createdAt: DateTime.makeUnsafe(row?.created_at ?? 0),
    marker: Option.fromNullishOr(row?.marker),
    isCopied: typeof row?.marker === "string" && row.owner !== database
  }
})

/** Writes the row, unless it exists and must not be replaced, and returns the row's marker. */
const writeMarker = Effect.fnUntraced(function* (
  sql: Sql,
  identify: Identify,
  { isReplacing, marker }: { readonly marker: string; readonly isReplacing: boolean }
): Effect.fn.Return<string, SqlError.SqlError> {
  const change = isReplacing
    ? "DO UPDATE SET marker = excluded.marker, owner = excluded.owner"
    : "DO NOTHING"
  yield* sql`INSERT INTO verbatim_media_mark (id, marker, owner)
    VALUES (1, ${marker}, ${yield* identify(sql)}) ON CONFLICT (id) ${sql.literal(change)}`
  // The row is read in a separate statement, because if another process was faster, only the next
  // statement sees that process's row.
  const found = yield* findMarker(sql, identify)
  return Option.getOrElse(found.marker, () => marker)
})
