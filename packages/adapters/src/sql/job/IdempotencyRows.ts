/**
 * The rows of idempotency keys: the first request under a key, until it lapses.
 */

import { JobId } from "@verbatim/core/attempt"
import { IdempotencyKey, keyKept, keyWindow } from "@verbatim/core/idempotency"
import type { IdempotencyRecord } from "@verbatim/core/job"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Duration, Effect, Option, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type Row, reading } from "../row/Row.ts"
import type { RowReads } from "../row/RowReads.ts"
import type { StoreTime } from "../session/Sessions.ts"
import { type Sweep, sweepMax } from "./Sweeping.ts"

const RecordRow = Schema.Struct({
  key: IdempotencyKey,
  fingerprint: Schema.String,
  jobId: JobId,
  at: Schema.DateTimeUtcFromMillis
})

const read = reading(RecordRow)

const windowMillis = Duration.toMillis(keyWindow)

/** Whether the key of a row has lapsed, next to one that shall take its place. */
export const hasLapsed = `abs(verbatim_idempotency_keys.at - excluded.at) >= ${windowMillis}`

/** The last record of a key; none when there never was one. */
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
 * Writes a record, unless one of the same key is current: then that one is the answer. The row
 * stays locked until the transaction ends.
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

const keptMillis = Duration.toMillis(keyKept)

/**
 * Deletes some lapsed records, and returns how many. One that is being replaced at this moment is
 * skipped; one that was replaced since the statement began is not deleted, because its age is
 * checked again.
 */
const sweep = (
  sql: SqlClient.SqlClient,
  { nowMillis, passingLocked }: { readonly nowMillis: number; readonly passingLocked: string }
): Effect.Effect<number, SqlError.SqlError> => {
  const oldest = nowMillis - keptMillis
  const unlocked = sql.literal(passingLocked)
  const swept = sql`DELETE FROM verbatim_idempotency_keys
    WHERE at <= ${oldest} AND (workspace_id, key) IN (
      SELECT workspace_id, key FROM verbatim_idempotency_keys
      WHERE at <= ${oldest} ORDER BY at LIMIT ${sweepMax} ${unlocked})
    RETURNING key`
  return Effect.map(swept, (rows) => rows.length)
}

/** What a sweep needs to know of the database. */
interface Sweeping {
  readonly reads: RowReads
  readonly time: StoreTime
}

/** Records that have lapsed. */
export const makeSweep = (
  sql: SqlClient.SqlClient,
  { reads: { passingLocked }, time }: Sweeping
): Sweep => ({
  what: "Lapsed idempotency keys",
  stepMax: sweepMax,
  step: Effect.flatMap(time.millis(sql), (nowMillis) => sweep(sql, { nowMillis, passingLocked }))
})
