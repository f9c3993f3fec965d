/**
 * The earliest instant at which there is work of a kind. While an old snapshot is open (a backup, a
 * replica, a forgotten session), Postgres keeps each index entry of work that is done, and a claim
 * would read all of them before it comes to the first that lives: 235 ms after 300,000 jobs. So
 * claims begin where the last look found the first one, with a look beside them now and then.
 */
import type { WorkKind } from "@verbatim/core/attempt"
import { Clock, Duration, Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import type { Bounds } from "../../sql/work/WorkStatements.ts"
import { serverMillis } from "./ServerTime.ts"

/** Between two looks. A look reads the entries that claims no longer read. */
const lookInterval: Duration.Duration = Duration.seconds(30)

/**
 * How late work may become visible, counted from its instant. It is due when it is written, or
 * later, by the clock of the server itself; so a write that is still uncommitted then is older than
 * any statement of ours may be. If there is such work all the same, the next look finds it. The
 * claim counts from its own time too, so that a clock that was set back hides nothing.
 */
export const lateMillis = 60_000

/**
 * In milliseconds, on the server. A look that takes less has skipped little: claims need no bound
 * then, and see all work whatever its instant.
 */
const tookMin = 20

/** Looks, when asked, if the last look is long enough ago; claims do not wait for it. */
export const make = Effect.fnUntraced(function* (sql: SqlClient.SqlClient): Effect.fn.Return<
  {
    readonly bounds: Bounds
    readonly look: (kinds: ReadonlyArray<WorkKind>) => Effect.Effect<void>
  },
  never,
  Scope.Scope
> {
  const scope = yield* Effect.scope
  const clock = yield* Clock.Clock
  const bounds = new Map<WorkKind, number>()
  const lookedAt = new Map<WorkKind, bigint>()
  const interval = Duration.toNanosUnsafe(lookInterval)

  const lookAt = (kind: WorkKind) =>
    sql<{ readonly since: number; readonly took: number }>`
      SELECT since, extract(epoch FROM clock_timestamp() - began.at)::float8 * 1000 AS took
      FROM (SELECT clock_timestamp() AS at OFFSET 0) AS began,
        LATERAL (SELECT LEAST(${serverMillis(sql)} - ${lateMillis},
          (SELECT due_at FROM verbatim_work WHERE kind = ${kind} ORDER BY due_at, job_id LIMIT 1)
        ) AS since OFFSET 0) AS first`

  const look = (kind: WorkKind) =>
    lookAt(kind).pipe(
      Effect.map(([first]) =>
        first === undefined || first.took < tookMin
          ? bounds.delete(kind)
          : bounds.set(kind, first.since)
      ),
      // Without a look nobody would find the work below an old bound.
      Effect.catchCause(() => Effect.sync(() => bounds.delete(kind)))
    )

  return {
    bounds,
    look: (kinds) =>
      Effect.suspend(() => {
        const at = clock.monotonicTimeNanosUnsafe()
        const stale = kinds.filter((kind) => at - (lookedAt.get(kind) ?? -interval) >= interval)
        for (const kind of stale) lookedAt.set(kind, at)
        const looks = Effect.forEach(stale, look, { discard: true })
        return stale.length === 0 ? Effect.void : Effect.asVoid(Effect.forkIn(looks, scope))
      })
  }
})
