/**
 * Old jobs in SQL: found by an index of their ends, so that those that stay cost nothing, and
 * removed by their ids.
 */
import type { JobId } from "@verbatim/core/attempt"
import type { NotedEnd } from "@verbatim/core/job"
import {
  type EndedQuery,
  type JobRevision,
  RetentionStore,
  RetentionStoreError,
  trace,
  type UnnotedQuery
} from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { hasMany, removeAside } from "./job/CorrectionsAside.ts"
import { holdings, noteColumns } from "./job/Ends.ts"
import { jobFormat } from "./job/JobFormat.ts"
import { readJob } from "./job/JobRows.ts"
import { makeOverdue } from "./job/OverdueRows.ts"
import { orNone, type Row } from "./row/Row.ts"
import { Statements } from "./Statements.ts"

type Sql = SqlClient.SqlClient

const mapSqlError = (operation: string) =>
  Effect.mapError((cause: SqlError.SqlError) => new RetentionStoreError({ operation, cause }))

const millis = DateTime.toEpochMillis

/** A turn that seems to last longer was taken before the clock of the store was set back. */
const turnMax = Duration.toMillis(Duration.days(1))

type Turns = Pick<RetentionStore["Service"], "passTurn" | "takeTurn">

const makeTurns = (sql: Sql, { time }: Pick<Statements["Service"], "time">): Turns => ({
  takeTurn: trace("SqlRetentionStore.takeTurn")(({ hold, holder }) =>
    time
      .withNow(
        sql,
        (now) => sql<Row>`INSERT INTO verbatim_retention_turn (id, holder, until)
          VALUES (1, ${holder}, ${now} + ${Duration.toMillis(hold)})
          ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, until = excluded.until
          WHERE verbatim_retention_turn.holder = excluded.holder
            OR verbatim_retention_turn.until <= ${now}
            OR verbatim_retention_turn.until > ${now} + ${turnMax}
          RETURNING id`
      )
      .pipe(
        Effect.map((rows) => rows.length > 0),
        mapSqlError("takeTurn")
      )
  ),
  passTurn: trace("SqlRetentionStore.passTurn")(({ holder, pause }) =>
    time
      .withNow(
        sql,
        (now) => sql`UPDATE verbatim_retention_turn
          SET holder = '', until = ${now} + ${Duration.toMillis(pause)}
          WHERE id = 1 AND holder = ${holder}`
      )
      .pipe(Effect.asVoid, mapSqlError("passTurn"))
  )
})

interface FoundRow {
  readonly id: JobId
  readonly at: number
  readonly format: number
  readonly state: unknown
}

/** One that cannot be read is found, so that the next page begins after it. */
const readFound = ({ at, format, id, state }: FoundRow) => {
  const read = format > jobFormat ? Effect.succeedNone : orNone(readJob(state, `jobs ${id}`))
  return Effect.map(read, (job) => ({ id, at: DateTime.makeUnsafe(Number(at)), job }))
}

type Pages = Pick<RetentionStore["Service"], "ended" | "unnoted">

const makePages = (sql: Sql): Pages => {
  const find = Effect.fnUntraced(function* (
    column: "accepted_at" | "ended_at",
    { after, limit, until, where }: UnnotedQuery & { readonly where: Statement.Fragment }
  ) {
    const at = sql.literal(column)
    const beyond = Option.match(after, {
      onNone: () => sql`TRUE`,
      onSome: (place) => sql`(${at}, id) > (${millis(place.at)}, ${place.id})`
    })
    const rows = yield* sql<FoundRow>`SELECT id, ${at} AS at, format, state FROM verbatim_jobs
      WHERE ${where} AND ${at} <= ${millis(until)} AND ${beyond}
      ORDER BY ${at}, id LIMIT ${limit}`
    return yield* Effect.forEach(rows, readFound)
  })
  return {
    ended: trace("SqlRetentionStore.ended")((query: EndedQuery) => {
      const where = sql`workspace_id = ${query.workspaceId}
        AND holding = ${holdings[query.holding]} AND ended_at IS NOT NULL`
      return find("ended_at", { ...query, where })
    }, mapSqlError("ended")),
    unnoted: trace("SqlRetentionStore.unnoted")((query: UnnotedQuery) => {
      const where = sql`workspace_id = ${query.workspaceId}
        AND is_transcription_ended = 1 AND ended_at IS NULL`
      return find("accepted_at", { ...query, where })
    }, mapSqlError("unnoted"))
  }
}

type Writes = Pick<RetentionStore["Service"], "note" | "remove">

const makeWrites = (
  sql: Sql,
  { jobs: { deleteJobs, tellDeleted }, reads, schema, time }: Statements["Service"]
): Writes => {
  const readable = sql`format <= ${sql.literal(String(jobFormat))}`
  /** Rows that somebody has locked are skipped: the next look finds them. */
  const lockedAt = (jobs: ReadonlyArray<JobRevision>) => {
    const revisions = schema.fromJson(sql, {
      name: "decided",
      json: JSON.stringify(jobs.map(({ id, revision }) => ({ id, revision }))),
      columns: { id: "TEXT", revision: "BIGINT" }
    })
    const ids = jobs.map(({ id }) => id)
    return sql`SELECT id FROM verbatim_jobs WHERE ${reads.isAmong(sql, "id", ids)}
      AND (id, revision) IN (SELECT decided.id, decided.revision FROM ${revisions})
      AND ${readable} ORDER BY id ${sql.literal(reads.passingLocked)}`
  }
  const toRow = (note: JobRevision & NotedEnd) => ({
    id: note.id,
    revision: note.revision,
    ...noteColumns(note)
  })
  return {
    note: trace("SqlRetentionStore.note")(function* (notes: ReadonlyArray<JobRevision & NotedEnd>) {
      const rows = schema.fromJson(sql, {
        name: "noted",
        json: JSON.stringify(notes.map(toRow)),
        columns: { id: "TEXT", ended_at: "BIGINT", holding: "BIGINT" }
      })
      yield* sql`UPDATE verbatim_jobs SET ended_at = noted.ended_at, holding = noted.holding
        FROM ${rows} WHERE verbatim_jobs.id = noted.id AND verbatim_jobs.id IN (${lockedAt(notes)})`
    }, mapSqlError("note")),
    remove: trace("SqlRetentionStore.remove")(function* (
      workspaceId: WorkspaceId,
      jobs: ReadonlyArray<JobRevision>
    ) {
      const where = sql`workspace_id = ${workspaceId} AND id IN (${lockedAt(jobs)})`
      const which = sql`${where} AND NOT ${hasMany(sql)}`
      const removed = (yield* deleteJobs(sql, { which, time })).map(({ id }) => id)
      if (removed.length === jobs.length) return removed
      const many = yield* sql<{ readonly id: JobId }>`SELECT id FROM verbatim_jobs
        WHERE ${where} AND ${hasMany(sql)}`
      for (const { id } of many) {
        const aside = yield* sql.withTransaction(
          removeAside(sql, { id, workspaceId, where, tell: tellDeleted, time })
        )
        if (aside.length > 0) removed.push(id)
      }
      return removed
    }, mapSqlError("remove"))
  }
}

/** The store over any `SqlClient` whose database is migrated. */
export const layer: Layer.Layer<RetentionStore, never, SqlClient.SqlClient | Statements> =
  Layer.effect(RetentionStore)(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const statements = yield* Statements
      return RetentionStore.of({
        ...makeTurns(sql, statements),
        ...makePages(sql),
        ...makeWrites(sql, statements),
        ...makeOverdue(sql)
      })
    })
  )
