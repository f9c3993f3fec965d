/**
 * Stores buckets shared by all processes, for Effect's `RateLimiter`. Each bucket has one row, and
 * a request takes one statement. A row stores the level of a leaky bucket in units of a thousandth
 * of a request. The number of units that leak per millisecond is then an integer: the number of
 * requests that the limit allows per second. A bucket that has not been used for a second is empty,
 * so old rows can be deleted.
 */
import { Duration, Effect, Layer } from "effect"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { sweepForever } from "./row/Sweep.ts"
import { Statements } from "./Statements.ts"

type Sql = SqlClient.SqlClient
type Consume = Parameters<RateLimiter.RateLimiterStore["Service"]["tokenBucket"]>[0]

/** Units that one request adds to a bucket's level. */
const units = 1_000

/**
 * Units that leak per millisecond: the units of one request, divided by the milliseconds per
 * request that the limit allows. The number is exact if the limit is a whole number of requests per
 * second; below one request in 2,000 seconds, nothing leaks.
 */
const perMilliOf = (refillRate: Duration.Duration): number =>
  Math.round(units / Duration.toMillis(refillRate))

/** Unused rows are deleted when they reach this age. */
const idleMillis = 3_600_000

const failure = (cause: SqlError.SqlError) =>
  new RateLimiter.RateLimiterError({
    reason: new RateLimiter.RateLimitStoreError({ message: "The buckets cannot be read", cause })
  })

interface Bucket {
  readonly full: number
  readonly perMilli: number
}

const elapsed = (sql: Sql) => sql`(excluded.at - verbatim_request_rates.at)`

/** An SQL expression for the number of milliseconds that a full bucket takes to drain. */
const emptyMillis = (sql: Sql, { full, perMilli }: Bucket) =>
  sql`${Math.ceil(full / Math.max(1, perMilli))}`

/**
 * Whether the store's clock was set back: otherwise, no row has a timestamp this far in the future.
 */
const isSetBack = (sql: Sql, bucket: Bucket) =>
  sql`${elapsed(sql)} + ${emptyMillis(sql, bucket)} < 0`

/**
 * The level of a bucket at a given time, as an SQL expression for an update. If the clock is
 * slightly behind the last request, nothing leaks. If the clock was set back, the bucket is
 * emptied, because otherwise the bucket would stay full until the clock reached the old time. After
 * a limit is lowered, callers need not wait for tokens that the earlier limit allowed.
 */
const levelAt = (sql: Sql, bucket: Bucket) => {
  const { full, perMilli } = bucket
  const empty = emptyMillis(sql, bucket)
  const leaked = sql`(CASE WHEN ${isSetBack(sql, bucket)} THEN ${empty}
    WHEN ${elapsed(sql)} < 0 THEN 0 WHEN ${elapsed(sql)} > ${empty} THEN ${empty}
    ELSE ${elapsed(sql)} END) * ${perMilli}`
  const capped = sql`(CASE WHEN verbatim_request_rates.level > ${full} THEN ${full}
    ELSE verbatim_request_rates.level END)`
  return sql`(CASE WHEN ${capped} < ${leaked} THEN 0 ELSE ${capped} - ${leaked} END)`
}

const consume = (
  sql: Sql,
  now: Statement.Fragment,
  { allowOverflow, key, limit, refillRate, tokens }: Consume
) => {
  const perMilli = perMilliOf(refillRate)
  const full = limit * units
  const bucket = { full, perMilli }
  const level = levelAt(sql, bucket)
  const after = sql`${level} + ${tokens * units}`
  const fits = allowOverflow ? sql`TRUE` : sql`${after} <= ${full}`
  return sql<{ readonly level: number; readonly taken: number }>`
    INSERT INTO verbatim_request_rates (name, level, taken, at)
    VALUES (${key}, ${tokens * units}, 1, ${now})
    ON CONFLICT (name) DO UPDATE SET
      level = CASE WHEN ${fits} THEN ${after} ELSE ${level} END,
      taken = CASE WHEN ${fits} THEN 1 ELSE 0 END,
      at = CASE WHEN ${elapsed(sql)} > 0 OR ${isSetBack(sql, bucket)} THEN excluded.at
        ELSE verbatim_request_rates.at END
    RETURNING level, taken`
}

/**
 * Returns how many whole requests the limit still allows, and how many milliseconds ago the last of
 * them was added.
 */
const toAnswer = (
  row: { readonly level: number; readonly taken: number } | undefined,
  { limit, refillRate, tokens }: Consume
) => {
  const { level = 0, taken = 1 } = row ?? {}
  const free = limit * units - level - (taken === 0 ? tokens * units : 0)
  const whole = Math.floor(free / units)
  return [whole, (free - whole * units) / Math.max(1, perMilliOf(refillRate))] as const
}

const inactive = { delay: Duration.zero, epoch: 0, phase: "inactive" } as const

/**
 * Provides buckets over any `SqlClient` with a migrated database. Only token buckets are supported.
 */
export const layer: Layer.Layer<
  RateLimiter.RateLimiterStore,
  never,
  SqlClient.SqlClient | Statements
> = Layer.effect(RateLimiter.RateLimiterStore)(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { time } = yield* Statements

    const swept = Effect.flatMap(
      time.millis(sql),
      (now) => sql`DELETE FROM verbatim_request_rates WHERE at < ${now - idleMillis} RETURNING name`
    )
    yield* Effect.forkScoped(
      sweepForever({
        what: "Unused request buckets",
        stepMax: Number.POSITIVE_INFINITY,
        step: Effect.map(swept, (rows) => rows.length)
      })
    )

    return RateLimiter.RateLimiterStore.of({
      tokenBucket: (options) =>
        time
          .withNow(sql, (now) => consume(sql, now, options))
          .pipe(
            Effect.map(([row]) => toAnswer(row, options)),
            Effect.mapError(failure)
          ),
      fixedWindow: () => Effect.die("only token buckets are kept here"),
      adaptiveConsume: () => Effect.succeed(inactive),
      adaptiveFeedback: () => Effect.void
    })
  })
)
