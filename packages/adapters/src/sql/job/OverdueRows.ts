/** What would go of old jobs, counted by the columns beside them, a page at a time. */

import { JobId } from "@verbatim/core/attempt"
import type { Cutoffs } from "@verbatim/core/job"
import {
  type EndedQuery,
  type RetentionStore,
  RetentionStoreError,
  trace
} from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Option, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type Row, reading } from "../row/Row.ts"
import { holdings } from "./Ends.ts"

const mapSqlError = (operation: string) =>
  Effect.mapError((cause: SqlError.SqlError) => new RetentionStoreError({ operation, cause }))

const millis = DateTime.toEpochMillis

const readPage = reading(
  Schema.Struct({
    jobs: Schema.Int,
    transcripts: Schema.Int,
    media: Schema.Int,
    oldest: Schema.OptionFromNullOr(Schema.DateTimeUtcFromMillis),
    size: Schema.Int,
    lastAt: Schema.OptionFromNullOr(Schema.DateTimeUtcFromMillis),
    lastId: Schema.OptionFromNullOr(JobId)
  })
)

const readCount = reading(Schema.Int)

/** Before any job ended. */
const never = -1

const toMillis = (cutoff: DateTime.Utc | null): number => (cutoff === null ? never : millis(cutoff))

type Counts = Pick<RetentionStore["Service"], "overdue" | "unnotedCount">

/** The counts of the store. */
export const makeOverdue = (sql: SqlClient.SqlClient): Counts => ({
  overdue: trace("SqlRetentionStore.overdue")(function* (query: EndedQuery, cutoffs: Cutoffs) {
    const { after, holding, limit, until, workspaceId } = query
    const [job, transcript, media] = [cutoffs.job, cutoffs.transcript, cutoffs.media].map(toMillis)
    const isJob = sql`ended_at <= ${job}`
    const isTranscript = sql`ended_at > ${job} AND ended_at <= ${transcript}
      AND holding > 0 AND status <> 'FAILED'`
    const isMedia = sql`ended_at > ${job} AND ended_at <= ${media} AND holding = 2`
    const beyond = Option.match(after, {
      onNone: () => sql`TRUE`,
      onSome: (place) => sql`(ended_at, id) > (${millis(place.at)}, ${place.id})`
    })
    const [row] = yield* sql<Row>`WITH found AS MATERIALIZED (
        SELECT id, ended_at, holding, status FROM verbatim_jobs
        WHERE workspace_id = ${workspaceId} AND holding = ${holdings[holding]}
          AND ended_at IS NOT NULL AND ended_at <= ${millis(until)} AND ${beyond}
        ORDER BY ended_at, id LIMIT ${limit})
      SELECT count(CASE WHEN ${isJob} THEN 1 END) AS jobs,
        count(CASE WHEN ${isTranscript} THEN 1 END) AS transcripts,
        count(CASE WHEN ${isMedia} THEN 1 END) AS media,
        min(CASE WHEN ${isJob} OR (${isTranscript}) OR (${isMedia}) THEN ended_at END) AS oldest,
        count(*) AS size, max(ended_at) AS "lastAt",
        (SELECT id FROM found ORDER BY ended_at DESC, id DESC LIMIT 1) AS "lastId"
      FROM found`
    const { lastAt, lastId, size, ...counts } = yield* readPage(row, `overdue of ${workspaceId}`)
    const last = size < limit ? Option.none() : Option.all({ at: lastAt, id: lastId })
    return { ...counts, last }
  }, mapSqlError("overdue")),
  unnotedCount: trace("SqlRetentionStore.unnotedCount")(function* (
    workspaceId: WorkspaceId,
    countMax: number
  ) {
    const [row] = yield* sql<Row>`SELECT count(*) AS count FROM (SELECT 1 FROM verbatim_jobs
      WHERE workspace_id = ${workspaceId} AND is_transcription_ended = 1 AND ended_at IS NULL
      LIMIT ${countMax}) AS found`
    return yield* readCount(row?.count, `unnoted of ${workspaceId}`)
  }, mapSqlError("unnotedCount"))
})
