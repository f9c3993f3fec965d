/**
 * The work queue in SQL: rows of live jobs, leased by one statement.
 */
import type { JobId } from "@verbatim/core/job/JobId"
import {
  type Lease,
  leaseDuration,
  WorkQueue,
  WorkQueueError
} from "@verbatim/core/ports/WorkQueue"
import { Array, DateTime, Duration, Effect, Layer, Option, Order } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Dialect from "./Dialect.ts"
import { readJob } from "./JobRows.ts"

type ClaimRequest = Parameters<WorkQueue["Service"]["claim"]>[0]

interface Claimed {
  readonly job_id: JobId
  readonly due_at: number
  readonly state: unknown
}

const leaseMillis = Duration.toMillis(leaseDuration)

const failing = (operation: string) =>
  Effect.mapError((cause: SqlError.SqlError) => new WorkQueueError({ operation, cause }))

/** RETURNING gives rows in no order. */
const earliestFirst = Order.combine(
  Order.mapInput(Order.Number, ({ due_at }: Claimed) => due_at),
  Order.mapInput(Order.String, ({ job_id }: Claimed) => job_id)
)

/** One broken row must not hold up what was claimed with it. It stays leased, and lapses. */
const readable = ({ job_id, state }: Claimed) =>
  readJob(state, `jobs ${job_id}`).pipe(
    Effect.map(Option.some),
    Effect.catchDefect((defect) =>
      Effect.as(
        Effect.logError("Work was claimed of a job that cannot be read", defect),
        Option.none()
      )
    )
  )

const claiming = (sql: SqlClient.SqlClient) => {
  const claim = (request: ClaimRequest, nowMillis: number) => {
    const { busyLanes, kinds, limit, token } = request
    const lanes = Dialect.list(sql, busyLanes)
    // Each kind is read from its own stretch of the index, up to the limit: what waits of the other
    // kinds costs nothing, however much it is.
    const due = kinds.map(
      (kind) => sql`SELECT * FROM (SELECT job_id, due_at FROM work
        WHERE kind = ${kind} AND due_at <= ${nowMillis}
          AND (lease_until IS NULL OR lease_until <= ${nowMillis}) AND lane NOT IN ${lanes}
        ORDER BY due_at, job_id LIMIT ${limit}) AS one_kind`
    )
    return sql<Claimed>`UPDATE work SET token = ${token}, lease_until = ${nowMillis + leaseMillis}
      WHERE job_id IN (SELECT job_id FROM (${sql.join(" UNION ALL ", false)(due)}) AS due
        ORDER BY due_at, job_id LIMIT ${limit})
      RETURNING job_id, due_at, (SELECT state FROM jobs WHERE jobs.id = work.job_id) AS state`
  }

  return Effect.fn("SqlWorkQueue.claim")(function* (request: ClaimRequest) {
    const kinds = [...new Set(request.kinds)]
    const { nowMillis, rows } = yield* Dialect.atStoreTime(sql, (nowMillis) =>
      Effect.map(
        kinds.length === 0 ? Effect.succeed([]) : claim({ ...request, kinds }, nowMillis),
        (rows) => ({ nowMillis, rows })
      )
    ).pipe(failing("claim"))
    const read = yield* Effect.forEach(Array.sort(rows, earliestFirst), readable)
    return { now: DateTime.makeUnsafe(nowMillis), jobs: read.flatMap(Option.toArray) }
  })
}

/** The queue over any `SqlClient` whose database is migrated. */
export const layer: Layer.Layer<WorkQueue, never, SqlClient.SqlClient> = Layer.effect(WorkQueue)(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const renew = Effect.fn("SqlWorkQueue.renew")(function* (leases: ReadonlyArray<Lease>) {
      const rows = yield* Dialect.atStoreTime(
        sql,
        (nowMillis) => sql<Claimed>`UPDATE work SET lease_until = ${nowMillis + leaseMillis}
          FROM ${Dialect.held(sql, leases)}
          WHERE work.job_id = held.job_id AND work.token = held.token
          RETURNING work.job_id AS job_id`
      ).pipe(failing("renew"))
      return new Set(rows.map(({ job_id }) => job_id))
    })

    const release = Effect.fn("SqlWorkQueue.release")((leases: ReadonlyArray<Lease>) =>
      sql`UPDATE work SET lease_until = NULL, token = NULL
        FROM ${Dialect.held(sql, leases)}
        WHERE work.job_id = held.job_id AND work.token = held.token`.pipe(
        failing("release"),
        Effect.asVoid
      )
    )

    return WorkQueue.of({ claim: claiming(sql), renew, release })
  })
)
