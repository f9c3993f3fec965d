/**
 * Reads and writes the rows of idempotency keys. Each row describes the first request made with a
 * key, until the key expires.
 */

import { JobId } from "@verbatim/core/attempt"
import { IdempotencyKey, keyWindow } from "@verbatim/core/idempotency"
import type { IdempotencyRecord } from "@verbatim/core/job"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Duration, Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { makeReader, type Row } from "../row/Row.ts"

const RecordRow = Schema.Struct({
  key: IdempotencyKey,
  fingerprint: Schema.String,
  jobId: JobId,
  at: Schema.DateTimeUtcFromMillis
})

const read = makeReader(RecordRow)

const windowMillis = Duration.toMillis(keyWindow)

/** Whether a row's key has expired at the timestamp of the row that will replace it. */
export const hasLapsed = `abs(verbatim_idempotency_keys.at - excluded.at) >= ${windowMillis}`

/** Finds a key's last record, even if the key has expired. */
export const find = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { key, workspaceId }: { readonly workspaceId: WorkspaceId; readonly key: IdempotencyKey }
) {
  const [row] = yield* sql<Row>`SELECT key, fingerprint, job_id AS "jobId", at
    FROM verbatim_idempotency_keys WHERE workspace_id = ${workspaceId} AND key = ${key}`
  if (row === undefined) return Option.none<IdempotencyRecord>()
  return Option.some(yield* read(row, `idempotency_keys ${workspaceId} ${key}`))
})

/**
 * Writes a record, or returns the current record with the same key, if any. The row stays locked
 * until the transaction ends.
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
  const written = yield* sql`INSERT INTO verbatim_idempotency_keys ${sql.insert(row)}
    ON CONFLICT (workspace_id, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, job_id = excluded.job_id, at = excluded.at
    WHERE ${sql.literal(hasLapsed)} RETURNING key`
  return written.length > 0 ? Option.none() : yield* find(sql, { workspaceId, key })
})
