/** Stores the workers' heartbeats and the paused tasks in SQL, and reads the backlog of work. */

import { Task, WorkKind } from "@verbatim/core/attempt"
import { shownLanesMax } from "@verbatim/core/job"
import {
  endedRange,
  FailureCount,
  type KindBacklog,
  Outage,
  WorkerId,
  WorkerRegistry,
  WorkerRegistryError,
  type WorkerReport,
  workerTtl
} from "@verbatim/core/ports"
import { Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { json, makeReader, type Row } from "./row/Row.ts"
import { makeStore } from "./row/StoreMethods.ts"
import { Statements } from "./Statements.ts"
import type { StoreTime } from "./session/Sessions.ts"

/** A worker's report, stored in one column. */
const ReportJson = json(
  Schema.Struct({
    Fetch: Schema.Int,
    Transcribe: Schema.Int,
    Summarize: Schema.Int,
    Deliver: Schema.Int,
    Notify: Schema.Int,
    outages: Schema.Array(Outage),
    failures: Schema.Array(FailureCount)
  })
)

const encodeReport = Schema.encodeSync(ReportJson)

const readWorker = makeReader(
  Schema.Struct({
    id: WorkerId,
    name: Schema.String,
    report: ReportJson,
    startedAt: Schema.DateTimeUtcFromMillis,
    seenAt: Schema.DateTimeUtcFromMillis
  })
)

const toWorker = ({ report, ...worker }: Effect.Success<ReturnType<typeof readWorker>>) => {
  const { failures, outages, ...running } = report
  return { ...worker, running, outages, failures }
}

const TasksJson = json(Schema.Array(Task))

const encodeTasks = Schema.encodeSync(TasksJson)

const readTasks = makeReader(TasksJson)

const readPaused = ([row]: ReadonlyArray<Row>) =>
  row === undefined ? Effect.succeed([]) : readTasks(row.tasks, "paused_tasks")

const readNow = makeReader(Schema.DateTimeUtcFromMillis)

const storeOf = makeStore(
  WorkerRegistry,
  "SqlWorkerRegistry",
  (operation, cause: SqlError.SqlError) => new WorkerRegistryError({ operation, cause })
)

const makeSign =
  (sql: SqlClient.SqlClient, time: StoreTime) =>
  ({ id, name, running, ...state }: WorkerReport) =>
    time.withNowExclusive(sql, (now) =>
      Effect.andThen(
        sql`INSERT INTO verbatim_workers (id, name, running, started_at, seen_at)
        VALUES (${id}, ${name}, ${encodeReport({ ...running, ...state })}, ${now}, ${now})
        ON CONFLICT (id) DO UPDATE
        SET name = excluded.name, running = excluded.running, seen_at = excluded.seen_at`,
        sql`DELETE FROM verbatim_workers WHERE seen_at < ${now} - ${Duration.toMillis(workerTtl)}`
      )
    )

/** Provides `WorkerRegistry` over any `SqlClient` with a migrated database. */
export const layer: Layer.Layer<WorkerRegistry, never, SqlClient.SqlClient | Statements> =
  Layer.effect(WorkerRegistry)(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { time } = yield* Statements
      const sign = makeSign(sql, time)
      const paused = sql<Row>`SELECT tasks FROM verbatim_paused_tasks`
      const rows = time.withNowExclusive(sql, (now) =>
        Effect.all({
          now: sql<Row>`SELECT ${now} AS millis`,
          workers: sql<Row>`SELECT id, name, running AS report, started_at AS "startedAt",
          seen_at AS "seenAt" FROM verbatim_workers ORDER BY started_at, id`,
          backlog: findBacklog(sql, now),
          paused
        })
      )

      return storeOf({
        report: (report) => Effect.flatMap(Effect.andThen(sign(report), paused), readPaused),
        leave: (id) => Effect.asVoid(sql`DELETE FROM verbatim_workers WHERE id = ${id}`),
        pause: (tasks) =>
          Effect.asVoid(sql`INSERT INTO verbatim_paused_tasks (id, tasks)
            VALUES (1, ${encodeTasks(tasks)})
            ON CONFLICT (id) DO UPDATE SET tasks = excluded.tasks`),
        survey: rows.pipe(
          Effect.flatMap(({ backlog, now, paused, workers }) =>
            Effect.all({
              now: readNow(now[0]?.millis, "now"),
              workers: Effect.forEach(workers, (row) =>
                Effect.map(readWorker(row, `workers ${row.id}`), toWorker)
              ),
              backlog: readBacklog(backlog),
              paused: readPaused(paused)
            })
          ),
          Effect.withSpan("SqlWorkerRegistry.survey")
        ),
        ended: time
          .withNow(sql, (now) => countEnded(sql, now))
          .pipe(
            Effect.flatMap((rows) =>
              Effect.forEach(rows, (row) => readEnded(row, `jobs ended from ${row.from}`))
            ),
            Effect.withSpan("SqlWorkerRegistry.ended")
          )
      })
    })
  )

const readEnded = makeReader(
  Schema.Struct({
    from: Schema.DateTimeUtcFromMillis,
    completed: Schema.Int,
    failed: Schema.Int
  })
)

/**
 * Counts ended jobs by hour, from an index that contains both columns. Without the subqueries, or
 * with only one limit on the time, Postgres might scan all jobs: it would not know that the time is
 * the same for all rows, or that the range is short.
 */
const countEnded = (sql: SqlClient.SqlClient, now: Statement.Fragment) => {
  const hourMillis = Duration.toMillis(Duration.hours(1))
  const from = sql.literal(`ended_at / ${hourMillis} * ${hourMillis}`)
  return sql<Row>`SELECT ${from} AS "from",
      count(CASE WHEN cause = '' THEN 1 END) AS completed,
      count(CASE WHEN cause <> '' THEN 1 END) AS failed
    FROM verbatim_jobs
    WHERE ended_at BETWEEN (SELECT ${now} - ${Duration.toMillis(endedRange)}) AND (SELECT ${now})
      AND cause >= ''
    GROUP BY 1 ORDER BY 1`
}

/** Reads a row for a kind of work (at position 0) or for one of the kind's lanes. */
const readBacklogRow = makeReader(
  Schema.Struct({
    kind: WorkKind,
    position: Schema.Int,
    laneCount: Schema.Int,
    workspaceId: Schema.String,
    lane: Schema.String,
    due: Schema.Int,
    later: Schema.Int,
    leased: Schema.Int,
    dueSince: Schema.OptionFromNullOr(Schema.DateTimeUtcFromMillis)
  })
)

type BacklogRow = Effect.Success<ReturnType<typeof readBacklogRow>>

const countsOf = ({ due, dueSince, later, leased }: BacklogRow) => ({
  due,
  later,
  leased,
  dueSince
})

const toBacklog = ([whole, ...lanes]: ReadonlyArray<BacklogRow>): ReadonlyArray<KindBacklog> =>
  whole === undefined
    ? []
    : [
        {
          kind: whole.kind,
          ...countsOf(whole),
          laneCount: whole.laneCount,
          lanes: lanes.map((each) => ({
            workspaceId: each.workspaceId,
            lane: each.lane,
            ...countsOf(each)
          }))
        }
      ]

/** The sums are cast, because otherwise a sum of counts would have a wider type than a count. */
const sums = ["due", "later", "leased"].map((name) => `CAST(sum(${name}) AS BIGINT) AS ${name}`)

/**
 * Reads the rows for every kind of work, each followed by the rows for the lanes with the most
 * work. The lane is empty for work without a lane. One statement reads the work rows once. No
 * other table is read, so the number of ended jobs does not matter.
 */
const findBacklog = (
  sql: SqlClient.SqlClient,
  now: Statement.Fragment
): Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError> => {
  const isFree = sql.literal("(lease_until IS NULL OR lease_until <= millis)")
  return sql<Row>`WITH by_lane AS (
      SELECT kind, workspace_id, lane,
        count(CASE WHEN ${isFree} AND due_at <= millis THEN 1 END) AS due,
        count(CASE WHEN ${isFree} AND due_at > millis THEN 1 END) AS later,
        count(CASE WHEN lease_until > millis THEN 1 END) AS leased,
        min(CASE WHEN ${isFree} AND due_at <= millis THEN due_at END) AS due_since
      FROM (SELECT ${now} AS millis) AS clock CROSS JOIN verbatim_work
        GROUP BY kind, workspace_id, lane
    ), placed AS (
      SELECT by_lane.*, row_number() OVER (PARTITION BY kind
        ORDER BY due DESC, due + later + leased DESC, workspace_id, lane) AS position
      FROM by_lane WHERE lane <> ''
    )
    SELECT kind, 0 AS position, count(NULLIF(lane, '')) AS "laneCount", '' AS "workspaceId",
      '' AS lane, ${sql.literal(sums.join(", "))}, min(due_since) AS "dueSince"
    FROM by_lane GROUP BY kind
    UNION ALL
    SELECT kind, position, 0, workspace_id, lane, due, later, leased, due_since
    FROM placed WHERE position <= ${shownLanesMax}
    ORDER BY 1, 2`
}

/** Decodes the rows, by kind in alphabetical order. */
const readBacklog = (rows: ReadonlyArray<Row>): Effect.Effect<ReadonlyArray<KindBacklog>> =>
  Effect.map(
    Effect.forEach(rows, (row) => readBacklogRow(row, `work of kind ${row.kind}`)),
    (placed) => [...Map.groupBy(placed, ({ kind }) => kind).values()].flatMap(toBacklog)
  )
