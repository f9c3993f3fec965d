/**
 * The work queue in SQL: rows of live jobs, and who holds them for how long.
 */

import { type Lease, type Renewal, WorkQueue, WorkQueueError } from "@verbatim/core/ports/WorkQueue"
import { traced } from "@verbatim/core/services/Traced"
import { Array, DateTime, Duration, Effect, Layer, Option, Order } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type Claimed, type ClaimRequest, leaseMillis, type Turns, wantedKinds } from "./Claim.ts"
import * as ClaimStatement from "./ClaimStatement.ts"
import * as ClaimSteps from "./ClaimSteps.ts"
import * as Dialect from "./Dialect.ts"
import { readJob } from "./JobRows.ts"
import { changeLeases } from "./LeaseStatement.ts"
import * as OldestWork from "./OldestWork.ts"
import { ReservedSessions } from "./ReservedSessions.ts"
import { orNone } from "./Row.ts"

const failing = (operation: string) =>
  Effect.mapError((cause: SqlError.SqlError) => new WorkQueueError({ operation, cause }))

/** RETURNING gives rows in no order. */
const earliestFirst = Order.combine(
  Order.mapInput(Order.Number, ({ due_at }: Claimed) => due_at),
  Order.mapInput(Order.String, ({ job_id }: Claimed) => job_id)
)

/** One broken row must not hold up what was claimed with it. It stays leased, and lapses. */
const readable = ({ job_id, state }: Claimed) => orNone(readJob(state, `jobs ${job_id}`))

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

/** How often work is given back that somebody has locked; what stays locked lapses by itself. */
const releaseMax = 10

const releasePause = Duration.millis(100)

/** The queue over any `SqlClient` whose database is migrated. */
export const layer: Layer.Layer<WorkQueue, never, SqlClient.SqlClient> = Layer.effect(WorkQueue)(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const reserved = yield* ReservedSessions
    const session = reserved?.renewals ?? sql
    const claim = claimOf(yield* makeClaim(sql))

    const renew = traced("SqlWorkQueue.renew")(function* (leases: ReadonlyArray<Renewal>) {
      const { busy, changed } = yield* Dialect.atStoreTime(session, (now) =>
        changeLeases(
          session,
          leases.map(inThousandths),
          session`lease_until = ${now} + ${leaseMillis},
            progress = COALESCE(held.progress, work.progress)`
        )
      ).pipe(failing("renew"))
      return { extended: changed, busy }
    })

    const release = traced("SqlWorkQueue.release")(function* (leases: ReadonlyArray<Lease>) {
      const ended = session`lease_until = NULL, token = NULL, progress = NULL`
      let left = leases
      for (let tries = 1; left.length > 0 && tries <= releaseMax; tries++) {
        const { busy } = yield* changeLeases(session, left, ended).pipe(failing("release"))
        left = left.filter(({ jobId }) => busy.has(jobId))
        if (left.length > 0) yield* Effect.sleep(releasePause)
      }
    })

    return WorkQueue.of({ claim, renew, release })
  })
)
