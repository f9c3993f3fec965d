/**
 * The places where the dialects of SQL differ inside a statement of the stores; SQLite is the
 * `orElse`. The few statements that Postgres does otherwise as a whole are told apart where they
 * are: `PresetWrites`, `ClaimStatement`, `Ledger`, `SqlJobStore`; what only a server needs, in
 * `GatheredRows` and `StoreTime`.
 */
import { Clock, Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"

type Sql = SqlClient.SqlClient

/**
 * How Postgres keeps a small table of short-lived rows small: half of each page is left for new
 * forms of its rows, and dead ones are cleared by their number, however few rows there are.
 */
const churn = [
  "fillfactor = 50",
  "autovacuum_vacuum_threshold = 1000",
  "autovacuum_vacuum_scale_factor = 0.02",
  "autovacuum_analyze_threshold = 1000",
  "autovacuum_analyze_scale_factor = 0.1",
  "autovacuum_vacuum_cost_delay = 0"
].join(", ")

/** The column types and table options that are not spelled alike. */
export const types = (sql: Sql) =>
  sql.onDialectOrElse({
    pg: () => ({
      int: sql.literal("BIGINT"),
      // Ids, slugs and the like compare byte by byte: faster than by the rules of a language, and
      // an index stays valid when those change with the operating system.
      key: sql.literal('TEXT COLLATE "C"'),
      sequence: sql.literal("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
      strict: sql.literal(""),
      clustered: sql.literal(""),
      queue: sql.literal(`WITH (${churn})`),
      // Postgres visits each row that it locks anyway, and a lease that is in no index can be
      // written without touching one.
      dueColumns: sql.literal("kind, due_at, job_id")
    }),
    orElse: () => ({
      /** An integer of 64 bits. */
      int: sql.literal("INTEGER"),
      /** A text that is looked for, ordered or referred to. */
      key: sql.literal("TEXT"),
      /** A primary key that counts up. */
      sequence: sql.literal("INTEGER PRIMARY KEY"),
      /** SQLite checks types only when told to. */
      strict: sql.literal("STRICT"),
      /** For tables of small rows: they live in their primary key. */
      clustered: sql.literal("STRICT, WITHOUT ROWID"),
      /** For the table whose rows come and go all the time. */
      queue: sql.literal("STRICT, WITHOUT ROWID"),
      /**
       * The index of a claim. With lane and lease it passes over full lanes and leased rows without
       * leaving the index: 8 ms instead of 65 when 100,000 deliveries wait for one receiver.
       */
      dueColumns: sql.literal("kind, due_at, job_id, lane, lease_until")
    })
  })

/** A list as one parameter, so that it is one statement for all lengths. */
const elements = (sql: Sql, values: Iterable<string>): Statement.Fragment => {
  const text = JSON.stringify([...values])
  return sql.onDialectOrElse({
    // As an array Postgres takes it for short, and looks each value up in the index.
    pg: () => sql`(ARRAY(SELECT jsonb_array_elements_text(${text}::jsonb)))`,
    orElse: () => sql`(SELECT value FROM json_each(${text}))`
  })
}

/** Whether a column has one of these values. */
export const isAmong = (sql: Sql, column: string, values: Iterable<string>): Statement.Fragment => {
  const is = sql.onDialectOrElse({ pg: () => "= ANY", orElse: () => "IN" })
  return sql`${sql(column)} ${sql.literal(is)} ${elements(sql, values)}`
}

/** The clock of the Postgres server, in milliseconds, at the instant at which it is read. */
export const serverMillis = (sql: Sql): Statement.Fragment =>
  sql.literal("floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint")

/**
 * Runs statements on leases with the store's own time, in milliseconds, read when nobody else can
 * write any more: waiting for that may have taken seconds.
 */
export const atStoreTime = <A, E>(
  sql: Sql,
  statements: (now: Statement.Fragment) => Effect.Effect<A, E>
): Effect.Effect<A, E | SqlError.SqlError> =>
  sql.onDialectOrElse({
    // Postgres computes the new row again when it had to wait for the old one.
    pg: () => statements(serverMillis(sql)),
    orElse: () =>
      sql.withTransaction(Effect.flatMap(Clock.currentTimeMillis, (now) => statements(sql`${now}`)))
  })

/** Runs statements in a transaction in which nobody else runs those of that name. */
export const alone = <A, E, R>(
  sql: Sql,
  name: string,
  statements: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  sql.onDialectOrElse({
    pg: () =>
      sql.withTransaction(
        Effect.andThen(
          sql`SELECT pg_advisory_xact_lock(hashtext('verbatim'), hashtext(${name}))`,
          statements
        )
      ),
    // SQLite has one writer at a time: its transactions are alone from their first statement.
    orElse: () => sql.withTransaction(statements)
  })
