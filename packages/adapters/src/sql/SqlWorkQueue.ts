/**
 * The work queue in SQL: rows of live jobs, and who holds them for how long.
 */

import type { JobId } from "@verbatim/core/job/JobId"
import { type Lease, type Renewal, WorkQueue, WorkQueueError } from "@verbatim/core/ports/WorkQueue"
import { traced } from "@verbatim/core/trace/Traced"
import { Array, DateTime, Effect, Layer, Option, Order } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type Claimed, type ClaimRequest, leaseMillis, type Turns, wantedKinds } from "./Claim.ts"
import * as ClaimStatement from "./ClaimStatement.ts"
import * as ClaimSteps from "./ClaimSteps.ts"
import * as Dialect from "./Dialect.ts"
import { readJob } from "./JobRows.ts"
import * as OldestWork from "./OldestWork.ts"

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

/** The claim of each dialect, with what a process remembers from one to the next. */
const makeClaim = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const turns: Turns = new Map()
  const { bounds, look } = yield* OldestWork.make(sql)
  const memory = { turns, bounds, isCrowded: false }
  return sql.onDialectOrElse({
    pg: () => (request: ClaimRequest) =>
      Effect.andThen(
        look(wantedKinds(request).map(([kind]) => kind)),
        ClaimStatement.claim(sql, request, memory)
      ),
    orElse: () => (request: ClaimRequest) => ClaimSteps.claim(sql, request, turns)
  })
})

const claimOf = (claim: Effect.Success<ReturnType<typeof makeClaim>>) =>
  traced("SqlWorkQueue.claim")(function* (request: ClaimRequest) {
    const { hasMore, nowMillis, rows } = yield* claim(request).pipe(failing("claim"))
    const read = yield* Effect.forEach(Array.sort(rows, earliestFirst), readable)
    return { now: DateTime.makeUnsafe(nowMillis), jobs: read.flatMap(Option.toArray), hasMore }
  })

/** Progress as its column has it: a whole number. */
const inThousandths = ({ progress, ...lease }: Renewal) => ({
  ...lease,
  progress: progress === undefined ? undefined : Math.round(progress * 1_000)
})

/** The queue over any `SqlClient` whose database is migrated. */
export const layer: Layer.Layer<WorkQueue, never, SqlClient.SqlClient> = Layer.effect(WorkQueue)(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const claim = claimOf(yield* makeClaim(sql))

    const renew = traced("SqlWorkQueue.renew")(function* (leases: ReadonlyArray<Renewal>) {
      const rows = yield* Dialect.atStoreTime(
        sql,
        (now) => sql<{ readonly job_id: JobId }>`
          WITH ${Dialect.held(sql, leases.map(inThousandths))}
          UPDATE work
          SET lease_until = ${now} + ${leaseMillis},
            progress = COALESCE(held.progress, work.progress)
          FROM held WHERE ${Dialect.isHeld(sql)}
          RETURNING work.job_id AS job_id`
      ).pipe(failing("renew"))
      return new Set(rows.map(({ job_id }) => job_id))
    })

    const release = traced("SqlWorkQueue.release")((leases: ReadonlyArray<Lease>) =>
      sql`WITH ${Dialect.held(sql, leases)}
        UPDATE work SET lease_until = NULL, token = NULL, progress = NULL
        FROM held WHERE ${Dialect.isHeld(sql)}`.pipe(failing("release"), Effect.asVoid)
    )

    return WorkQueue.of({ claim, renew, release })
  })
)
