/**
 * Finds and deletes old jobs in SQL. An index by end time finds the old jobs, so other jobs are not
 * read.
 */
import { JobId } from "@verbatim/core/attempt"
import type { Cutoffs } from "@verbatim/core/job"
import {
  type EndedQuery,
  type JobRevision,
  RetentionStore,
  RetentionStoreError
} from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { deleteJobs } from "./job/DeletionRows.ts"
import { holdings, jobFormat, readJob } from "./job/JobRows.ts"
import { makeReader, type Row, skipUnreadable } from "./row/Row.ts"
import { makeStore } from "./row/StoreMethods.ts"
import { Statements } from "./Statements.ts"

type Sql = SqlClient.SqlClient

const storeOf = makeStore(
  RetentionStore,
  "SqlRetentionStore",
  (operation, cause: SqlError.SqlError) => new RetentionStoreError({ operation, cause })
)

const millis = DateTime.toEpochMillis

const readPage = makeReader(
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

/** A timestamp earlier than the end of any job. */
const never = -1

const toMillis = (cutoff: DateTime.Utc | null): number => (cutoff === null ? never : millis(cutoff))

/** Selects a page's jobs, in order. */
const pageOf = (sql: Sql, query: EndedQuery): Statement.Fragment => {
  const { after, holding, limit, until, workspaceId } = query
  const beyond = Option.match(after, {
    onNone: () => sql`TRUE`,
    onSome: (position) => sql`(ended_at, id) > (${millis(position.at)}, ${position.id})`
  })
  return sql`FROM verbatim_jobs
    WHERE workspace_id = ${workspaceId} AND holding = ${holdings[holding]}
      AND ended_at IS NOT NULL AND ended_at <= ${millis(until)} AND ${beyond}
    ORDER BY ended_at, id LIMIT ${limit}`
}

/** Counts what would be deleted from a page's jobs. Reads only columns, not the jobs' states. */
const makeCountExpired = (sql: Sql) =>
  function* (query: EndedQuery, cutoffs: Cutoffs) {
    const [job, transcript, media] = [cutoffs.job, cutoffs.transcript, cutoffs.media].map(toMillis)
    const isJob = sql`ended_at <= ${job}`
    const isTranscript = sql`ended_at > ${job} AND ended_at <= ${transcript}
      AND holding > 0 AND status <> 'FAILED'`
    const isMedia = sql`ended_at > ${job} AND ended_at <= ${media} AND holding = 2`
    const [row] = yield* sql<Row>`WITH found AS MATERIALIZED (
        SELECT id, ended_at, holding, status ${pageOf(sql, query)})
      SELECT count(CASE WHEN ${isJob} THEN 1 END) AS jobs,
        count(CASE WHEN ${isTranscript} THEN 1 END) AS transcripts,
        count(CASE WHEN ${isMedia} THEN 1 END) AS media,
        min(CASE WHEN ${isJob} OR (${isTranscript}) OR (${isMedia}) THEN ended_at END) AS oldest,
        count(*) AS size, max(ended_at) AS "lastAt",
        (SELECT id FROM found ORDER BY ended_at DESC, id DESC LIMIT 1) AS "lastId"
      FROM found`
    const { lastAt, lastId, size, ...counts } = yield* readPage(
      row,
      `overdue of ${query.workspaceId}`
    )
    const last = size < query.limit ? Option.none() : Option.all({ at: lastAt, id: lastId })
    return { ...counts, last }
  }

/**
 * Maximum duration of a lock. A lock that seems to last longer was taken before the store's clock
 * was set back.
 */
const lockMillisMax = Duration.toMillis(Duration.days(1))

interface Holder {
  readonly holder: string
}

const makeLockMethods = (sql: Sql, { time }: Pick<Statements["Service"], "time">) => ({
  acquireLock: ({ hold, holder }: Holder & { readonly hold: Duration.Duration }) =>
    time.withNow(sql, (now) =>
      Effect.map(
        sql`INSERT INTO verbatim_retention_turn (id, holder, until)
          VALUES (1, ${holder}, ${now} + ${Duration.toMillis(hold)})
          ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, until = excluded.until
          WHERE verbatim_retention_turn.holder = excluded.holder
            OR verbatim_retention_turn.until <= ${now}
            OR verbatim_retention_turn.until > ${now} + ${lockMillisMax}
          RETURNING id`,
        (rows) => rows.length > 0
      )
    ),
  releaseLock: ({ holder, pause }: Holder & { readonly pause: Duration.Duration }) =>
    time.withNow(sql, (now) =>
      Effect.asVoid(sql`UPDATE verbatim_retention_turn
        SET holder = '', until = ${now} + ${Duration.toMillis(pause)}
        WHERE id = 1 AND holder = ${holder}`)
    )
})

interface FoundRow {
  readonly id: JobId
  readonly at: number
  readonly format: number
  readonly state: unknown
}

/**
 * Reads a job from a row that was found. A job that cannot be read is included, so that the next
 * page begins after it.
 */
const readFound = ({ at, format, id, state }: FoundRow) => {
  const read =
    format > jobFormat ? Effect.succeedNone : skipUnreadable(readJob(state, `jobs ${id}`))
  return Effect.map(read, (job) => ({ id, at: DateTime.makeUnsafe(Number(at)), job }))
}

/** Finds the jobs of a page. Jobs that cannot be read are returned without their content. */
const makeEnded = (sql: Sql) =>
  function* (query: EndedQuery) {
    const rows = yield* sql<FoundRow>`
      SELECT id, ended_at AS at, format, state ${pageOf(sql, query)}`
    return yield* Effect.forEach(rows, readFound)
  }

const makeRemove = (sql: Sql, statements: Statements["Service"]) => {
  const { reads } = statements
  const readable = sql`format <= ${sql.literal(String(jobFormat))}`
  /**
   * Selects the jobs, but skips rows that another transaction has locked. The next search finds
   * these rows.
   */
  const lockedAt = (jobs: ReadonlyArray<JobRevision>) => {
    const revisions = reads.fromJson(sql, {
      name: "decided",
      json: JSON.stringify(jobs.map(({ id, revision }) => ({ id, revision }))),
      columns: { id: "TEXT", revision: "BIGINT" }
    })
    const ids = jobs.map(({ id }) => id)
    return sql`SELECT id FROM verbatim_jobs WHERE ${reads.isAmong(sql, "id", ids)}
      AND (id, revision) IN (SELECT decided.id, decided.revision FROM ${revisions})
      AND ${readable} ORDER BY id ${sql.literal(reads.passingLocked)}`
  }
  return function* (workspaceId: WorkspaceId, jobs: ReadonlyArray<JobRevision>) {
    const which = sql`workspace_id = ${workspaceId} AND id IN (${lockedAt(jobs)})`
    return (yield* deleteJobs(sql, statements, which)).map(({ id }) => id)
  }
}

/** Provides `RetentionStore` over any `SqlClient` with a migrated database. */
export const layer: Layer.Layer<RetentionStore, never, SqlClient.SqlClient | Statements> =
  Layer.effect(RetentionStore)(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const statements = yield* Statements
      return storeOf({
        ...makeLockMethods(sql, statements),
        ended: makeEnded(sql),
        remove: makeRemove(sql, statements),
        countExpired: makeCountExpired(sql)
      })
    })
  )
