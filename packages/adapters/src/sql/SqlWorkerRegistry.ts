/** The heartbeats of workers, the backlog of work and the paused tasks, in SQL. */

import { Task } from "@verbatim/core/attempt"
import {
  FailureCount,
  Outage,
  trace,
  WorkerId,
  WorkerRegistry,
  WorkerRegistryError,
  type WorkerReport,
  workerTtl
} from "@verbatim/core/ports"
import { Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { json, makeReader, type Row } from "./row/Row.ts"
import { Statements } from "./Statements.ts"
import type { StoreTime } from "./session/Sessions.ts"
import * as BacklogRows from "./work/BacklogRows.ts"

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

const mapSqlError = (operation: string) =>
  Effect.mapError((cause: SqlError.SqlError) => new WorkerRegistryError({ operation, cause }))

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

/** The registry over any `SqlClient` whose database is migrated. */
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
          backlog: BacklogRows.find(sql, now),
          paused
        })
      )

      return WorkerRegistry.of({
        report: trace("SqlWorkerRegistry.report")((report: WorkerReport) =>
          Effect.andThen(sign(report), paused).pipe(
            mapSqlError("report"),
            Effect.flatMap(readPaused)
          )
        ),
        leave: trace("SqlWorkerRegistry.leave")((id: WorkerId) =>
          Effect.asVoid(sql`DELETE FROM verbatim_workers WHERE id = ${id}`).pipe(
            mapSqlError("leave")
          )
        ),
        pause: trace("SqlWorkerRegistry.pause")((tasks: ReadonlyArray<Task>) =>
          Effect.asVoid(sql`INSERT INTO verbatim_paused_tasks (id, tasks)
            VALUES (1, ${encodeTasks(tasks)})
            ON CONFLICT (id) DO UPDATE SET tasks = excluded.tasks`).pipe(mapSqlError("pause"))
        ),
        survey: rows.pipe(
          mapSqlError("survey"),
          Effect.flatMap(({ backlog, now, paused, workers }) =>
            Effect.all({
              now: readNow(now[0]?.millis, "now"),
              workers: Effect.forEach(workers, (row) =>
                Effect.map(readWorker(row, `workers ${row.id}`), toWorker)
              ),
              backlog: BacklogRows.read(backlog),
              paused: readPaused(paused)
            })
          ),
          Effect.withSpan("SqlWorkerRegistry.survey")
        )
      })
    })
  )
