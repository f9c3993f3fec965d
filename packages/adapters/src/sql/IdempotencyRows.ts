/**
 * The rows of idempotency keys: the first request under a key, until it lapses.
 */
import { IdempotencyKey, type IdempotencyRecord, window } from "@verbatim/core/job/Idempotency"
import { JobId } from "@verbatim/core/job/JobId"
import type { WorkspaceId } from "@verbatim/core/workspace/Workspace"
import { DateTime, Duration, Effect, Option, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type Row, reading } from "./Row.ts"

const RecordRow = Schema.Struct({
  key: IdempotencyKey,
  fingerprint: Schema.String,
  jobId: JobId,
  at: Schema.DateTimeUtcFromMillis
})

const read = reading(RecordRow)

/** Records of that instant and older ones have lapsed. */
const lapsedAt = ({ at }: IdempotencyRecord): number =>
  DateTime.toEpochMillis(at) - Duration.toMillis(window)

/** The last record of a key; none when it never was. */
export const find = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { key, workspaceId }: { readonly workspaceId: WorkspaceId; readonly key: IdempotencyKey }
) {
  const [row] = yield* sql<Row>`SELECT key, fingerprint, job_id AS "jobId", at
    FROM idempotency_keys WHERE workspace_id = ${workspaceId} AND key = ${key}`
  if (row === undefined) return Option.none<IdempotencyRecord>()
  return Option.some(yield* read(row, `idempotency_keys ${workspaceId} ${key}`))
})

/**
 * Writes a record, unless one of the same key is current: that one is the answer then. The row
 * stays locked for the others until the transaction ends.
 */
export const claim = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  {
    record,
    workspaceId
  }: {
    readonly workspaceId: WorkspaceId
    readonly record: IdempotencyRecord
  }
) {
  const { at, fingerprint, jobId, key } = record
  const row = {
    workspace_id: workspaceId,
    key,
    fingerprint,
    job_id: jobId,
    at: DateTime.toEpochMillis(at)
  }
  const written = yield* sql`INSERT INTO idempotency_keys ${sql.insert(row)}
    ON CONFLICT (workspace_id, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, job_id = excluded.job_id, at = excluded.at
    WHERE idempotency_keys.at <= ${lapsedAt(record)} RETURNING key`
  return written.length > 0 ? Option.none() : yield* find(sql, { workspaceId, key })
})

/** Lapsed records that one new record takes with it, so that they never pile up. */
const sweepMax = 10

/** Deletes some lapsed records. Not in the transaction of a request: nobody has to wait for it. */
export const sweep = (
  sql: SqlClient.SqlClient,
  record: IdempotencyRecord
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(sql`DELETE FROM idempotency_keys WHERE (workspace_id, key) IN (
    SELECT workspace_id, key FROM idempotency_keys
    WHERE at <= ${lapsedAt(record)} ORDER BY at LIMIT ${sweepMax}
  )`)
