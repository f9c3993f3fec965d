/**
 * Buckets that all processes share, for Effect's `RateLimiter`: one row and one statement for each
 * question. A row is the level of a bucket that leaks: a thousandth of a request is the unit, so
 * that a millisecond lets as many units out as a second may have requests, and all is exact in
 * integers. A bucket of which nobody asked for a second is empty, so old rows mean nothing and go.
 */
import { Duration, Effect, Layer } from "effect"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { Statements } from "./Statements.ts"

type Sql = SqlClient.SqlClient
type Consume = Parameters<RateLimiter.RateLimiterStore["Service"]["tokenBucket"]>[0]

/** Of a request. */
const units = 1_000

/**
 * What leaks in a millisecond: a request in the time that one more takes to come. It is exact for
 * whole numbers in a second, which is what limits are; below one in 2,000 seconds nothing leaks.
 */
const perMilliOf = (refillRate: Duration.Duration): number =>
  Math.round(units / Duration.toMillis(refillRate))

/** Rows that nobody asked for so long are removed. */
const idleMillis = 3_600_000

const sweepInterval = Duration.minutes(10)

const failure = (cause: SqlError.SqlError) =>
  new RateLimiter.RateLimiterError({
    reason: new RateLimiter.RateLimitStoreError({ message: "The buckets cannot be read", cause })
  })

interface Bucket {
  readonly full: number
  readonly perMilli: number
}

const passed = (sql: Sql) => sql`(excluded.at - verbatim_request_rates.at)`

/** The milliseconds in which a full bucket empties. */
const emptyMillis = (sql: Sql, { full, perMilli }: Bucket) =>
  sql`${Math.ceil(full / Math.max(1, perMilli))}`

/** No two questions are answered so far apart: the clock of the store was set back. */
const isSetBack = (sql: Sql, bucket: Bucket) =>
  sql`${passed(sql)} + ${emptyMillis(sql, bucket)} < 0`

/**
 * What is in a bucket at an instant, in the words of an update. A clock that is a little behind
 * lets nothing out; one that was set back empties the bucket, which would stay full until the clock
 * is there again. Whoever lowers a limit need not wait for what an earlier one let in.
 */
const levelAt = (sql: Sql, bucket: Bucket) => {
  const { full, perMilli } = bucket
  const empty = emptyMillis(sql, bucket)
  const leaked = sql`(CASE WHEN ${isSetBack(sql, bucket)} THEN ${empty}
    WHEN ${passed(sql)} < 0 THEN 0 WHEN ${passed(sql)} > ${empty} THEN ${empty}
    ELSE ${passed(sql)} END) * ${perMilli}`
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
      at = CASE WHEN ${passed(sql)} > 0 OR ${isSetBack(sql, bucket)} THEN excluded.at
        ELSE verbatim_request_rates.at END
    RETURNING level, taken`
}

/** What is left, in whole requests, and how far the next one has come. */
const answerOf = (
  row: { readonly level: number; readonly taken: number } | undefined,
  { limit, refillRate, tokens }: Consume
) => {
  const { level = 0, taken = 1 } = row ?? {}
  const room = limit * units - level - (taken === 0 ? tokens * units : 0)
  const whole = Math.floor(room / units)
  return [whole, (room - whole * units) / Math.max(1, perMilliOf(refillRate))] as const
}

const inactive = { delay: Duration.zero, epoch: 0, phase: "inactive" } as const

/** The buckets over any `SqlClient` whose database is migrated. Only token buckets are offered. */
export const layer: Layer.Layer<
  RateLimiter.RateLimiterStore,
  never,
  SqlClient.SqlClient | Statements
> = Layer.effect(RateLimiter.RateLimiterStore)(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { time } = yield* Statements

    const sweep = Effect.flatMap(
      time.millis(sql),
      (now) => sql`DELETE FROM verbatim_request_rates WHERE at < ${now - idleMillis}`
    ).pipe(Effect.ignore)
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(sweepInterval), sweep)))

    return RateLimiter.RateLimiterStore.of({
      tokenBucket: (options) =>
        time
          .withNow(sql, (now) => consume(sql, now, options))
          .pipe(
            Effect.map(([row]) => answerOf(row, options)),
            Effect.mapError(failure)
          ),
      fixedWindow: () => Effect.die("only token buckets are kept here"),
      adaptiveConsume: () => Effect.succeed(inactive),
      adaptiveFeedback: () => Effect.void
    })
  })
)
