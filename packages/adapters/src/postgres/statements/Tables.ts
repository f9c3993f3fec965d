/** Defines and changes the stores' tables in Postgres. */
import { Duration, Effect, Exit, Option, Random } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { capabilitiesOf } from "../../sql/ClientCapabilities.ts"
import type { JobStatements } from "../../sql/job/JobStatements.ts"
import type { MigrationRunner, SchemaStatements } from "../../sql/migration/Migration.ts"
import { type MigrationError, migrationError } from "../../sql/migration/MigrationError.ts"
import type { TableSyntax } from "../../sql/StoreTables.ts"

type Sql = SqlClient.SqlClient

/**
 * Maximum wait for a lock. While a statement waits for a table lock, all later statements on the
 * table wait too.
 */
const lockTimeout = "1s"

/** Pause between two attempts to get the lock. */
const lockPause = Duration.millis(500)

/**
 * Maximum number of attempts: half an hour in total, which is enough to build an index on a hundred
 * million rows.
 */
const lockTriesMax = 3_600

const inTransaction =
  (sql: Sql) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      sql`BEGIN`,
      () => Effect.andThen(sql`SET LOCAL lock_timeout = ${sql.literal(`'${lockTimeout}'`)}`, self),
      (_, exit) => (Exit.isSuccess(exit) ? sql`COMMIT` : sql`ROLLBACK`)
    )

/** Runs all statements of an effect on one exclusive session. */
const onOneSession =
  (sql: Sql) =>
  <A, E>(self: Effect.Effect<A, E>) =>
    Effect.scoped(
      Effect.flatMap(sql.reserve, (session) =>
        Effect.provideService(self, sql.transactionService, [session, 0])
      )
    )

/**
 * The key of the migration lock. Earlier versions use another key, because they wait for their lock
 * inside a statement.
 */
const lockKey = (sql: Sql) => sql.literal("hashtext('verbatim'), hashtext('migration steps')")

/** Runs an effect if the lock is free. */
const tryLocked = <A, E>(sql: Sql, work: Effect.Effect<A, E>) => {
  const key = lockKey(sql)
  const tryLock = Effect.map(
    sql<{ readonly mine: boolean }>`SELECT pg_try_advisory_lock(${key}) AS mine`,
    (rows) => rows[0]?.mine === true
  )
  return Effect.acquireUseRelease(
    tryLock,
    (isMine) => (isMine ? Effect.asSome(work) : Effect.succeedNone),
    // If the session has ended, its lock is already released.
    (isMine) => (isMine ? Effect.ignore(sql`SELECT pg_advisory_unlock(${key})`) : Effect.void)
  )
}

/** Sleeps for 0.5 to 1.5 times the pause, so that processes do not poll at the same time. */
const sleepJittered = (pause: Duration.Duration) =>
  Effect.flatMap(Random.next, (random) => Effect.sleep(Duration.times(pause, 0.5 + random)))

const runExclusively = (sql: Sql): MigrationRunner["runExclusively"] =>
  Effect.fnUntraced(function* (work, isDone) {
    for (let tries = 0; tries < lockTriesMax; tries += 1) {
      const done = yield* tryLocked(sql, work)
      if (Option.isSome(done)) return done
      if (yield* isDone) return Option.none()
      yield* sleepJittered(lockPause)
    }
    return yield* migrationError({ _tag: "Busy" })
  }, onOneSession(sql))

/**
 * Builds an index. An interrupted build leaves behind an index that is updated but never read; an
 * index like this is dropped first.
 */
const buildIndex = (sql: Sql): MigrationRunner["indexBefore"] =>
  Effect.fnUntraced(function* ({ name, on }) {
    const [found] = yield* sql<{ readonly valid: boolean }>`SELECT indisvalid AS valid
      FROM pg_index WHERE indexrelid = to_regclass(${name})`
    if (found?.valid === true) return
    if (found !== undefined) yield* sql`DROP INDEX CONCURRENTLY ${sql(name)}`.unprepared
    yield* Effect.logInfo(`Building the index ${name}: it waits for older transactions to end`)
    yield* sql`CREATE INDEX CONCURRENTLY ${sql(name)} ON ${on(sql)}`.unprepared
  })

/**
 * Runs migrations on Postgres without stopping other processes. One process holds a session lock,
 * and all others poll for this lock. A process that waited for the lock inside a statement would
 * keep an old snapshot, and a concurrent index build would have to wait for this snapshot.
 */
const makeRunner = (sql: Sql): MigrationRunner => ({
  runExclusively: runExclusively(sql),
  transaction: inTransaction(sql),
  indexBefore: buildIndex(sql),
  indexWithin: () => Effect.void
})

/**
 * Settings that keep a table with short-lived rows small. Half of each page stays free for new
 * versions of the page's rows, and vacuuming starts at a number of dead rows that hardly depends on
 * the table's size.
 */
const queueStorage = [
  "fillfactor = 50",
  "autovacuum_vacuum_threshold = 1000",
  "autovacuum_vacuum_scale_factor = 0.02",
  "autovacuum_analyze_threshold = 1000",
  "autovacuum_analyze_scale_factor = 0.1",
  "autovacuum_vacuum_cost_delay = 0"
].join(", ")

/** Returns the words in a column, in the form used by the index. */
const wordVector = (column: string): string =>
  `array_to_tsvector(array_remove(string_to_array(${column}, ' '), ''))`

/**
 * Finds transcripts by their words. No word contains a quote. The limit is outside the subquery,
 * because a limit inside might make the planner scan the table. The subquery still stops at the
 * limit.
 */
export const findByWords: JobStatements["findByWords"] = (sql, words, limit) =>
  sql`WITH found AS MATERIALIZED (
      SELECT job_id FROM verbatim_search_texts WHERE ${sql.literal(wordVector("words"))} @@
        ${words.map((word) => `'${word}'`).join(" & ")}::tsquery)
    SELECT job_id FROM found LIMIT ${limit}`

const syntax: TableSyntax = {
  types: {
    int: "BIGINT",
    // Ids, slugs and similar columns are compared byte by byte. Comparing bytes is faster than
    // applying language rules, and an index stays valid when the operating system changes those
    // rules.
    key: 'TEXT COLLATE "C"',
    sequence: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    small: "INTEGER",
    text: "TEXT"
  },
  storage: { Clustered: "", Plain: "", Queue: `WITH (${queueStorage})` },
  indexWords: ({ column, table }) => [
    `CREATE INDEX ${table}_${column} ON ${table} USING GIN ((${wordVector(column)}))
      WITH (fastupdate = off)`,
    // If a column has no statistics, the planner always uses the index.
    `ALTER INDEX ${table}_${column} ALTER COLUMN 1 SET STATISTICS 0`
  ]
}

/** The number of the current transaction, not of a savepoint inside it. */
const transactionNumber = "(pg_current_xact_id()::text::bigint)"

/**
 * Creates the schema with the given name. If it exists, it is only looked up, which needs no
 * permission. If several processes create the schema at the same time, one succeeds and the others
 * find the schema; no process waits for a lock.
 */
export const ensureSchema = Effect.fnUntraced(function* (
  sql: Sql,
  name: string | undefined
): Effect.fn.Return<void, SqlError.SqlError> {
  if (name === undefined) return
  const isThere = Effect.map(
    sql`SELECT 1 FROM pg_namespace WHERE nspname = ${name}`,
    (rows) => rows.length > 0
  )
  if (yield* isThere) return
  yield* sql`CREATE SCHEMA ${sql(name)}`.pipe(
    Effect.catch((error) =>
      Effect.flatMap(isThere, (isMade) => (isMade ? Effect.void : Effect.fail(error)))
    )
  )
})

/**
 * Maximum number of schemas that a warning names, because a database with many tenants has
 * hundreds.
 */
const namedMax = 3

/**
 * Logs a warning about stores in other schemas before a new, empty one is created, because the
 * schema name may be misspelt.
 */
const warnOfOthers = Effect.fnUntraced(function* (
  sql: Sql,
  home: string
): Effect.fn.Return<void, SqlError.SqlError> {
  const rows = yield* sql<{ readonly name: string }>`SELECT nspname::text AS name
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relname = 'verbatim_migrations' AND relkind = 'r' ORDER BY nspname`
  const names = rows.map(({ name }) => name)
  if (names.length === 0 || names.includes(home)) return
  const more = names.length > namedMax ? " and others" : ""
  yield* Effect.logWarning(
    `New and empty tables are created in schema ${home}, but the database has tables of Verbatim ` +
      `in schema ${names.slice(0, namedMax).join(", ")}${more}: set that one if it is meant.`
  )
})

/**
 * Creates the schema for the tables if its name is known, and refuses sessions that have no schema.
 */
const createHomeSchema = Effect.fnUntraced(function* (
  sql: Sql
): Effect.fn.Return<void, MigrationError | SqlError.SqlError> {
  yield* ensureSchema(sql, capabilitiesOf(sql).home)
  const [row] = yield* sql<{ readonly path: string; readonly home: string | null }>`
    SELECT current_setting('search_path') AS path, current_schema()::text AS home`
  if (row === undefined) return
  const { home, path } = row
  if (home === null) return yield* migrationError({ _tag: "SchemaMissing", path })
  yield* warnOfOthers(sql, home)
})

/** The schema statements for Postgres. */
export const schema: SchemaStatements["Service"] = {
  syntax,
  hasTable: (sql, table) =>
    Effect.map(sql`SELECT 1 WHERE to_regclass(${table}) IS NOT NULL`, (rows) => rows.length > 0),
  findTaken: (sql, names) =>
    Effect.map(
      sql<{ readonly name: string }>`SELECT relname::text AS name FROM pg_class
        WHERE relnamespace = to_regnamespace(quote_ident(current_schema()))
          AND relname::text = ANY (ARRAY(
            SELECT jsonb_array_elements_text(${JSON.stringify(names)}::jsonb)))`,
      (rows) => rows.map(({ name }) => name)
    ),
  // A row keeps the number of the transaction that wrote it, even after server upgrades. Restoring
  // a dump writes the row in another transaction, and into a table with another id.
  identify: (sql) =>
    Effect.map(
      sql<{ readonly identity: string }>`SELECT tableoid::text || '-' || xmin::text AS identity
        FROM verbatim_database_identity`,
      ([row]) => row?.identity ?? ""
    ),
  describeLocation: (sql) =>
    Effect.map(
      sql<{ readonly name: string }>`SELECT current_schema()::text AS name`,
      (rows) => `schema ${rows[0]?.name}`
    ),
  createHomeSchema,
  lockRecords: (sql) => sql`LOCK TABLE verbatim_migrations IN SHARE ROW EXCLUSIVE MODE`,
  countCommits: (sql) => sql`ALTER TABLE verbatim_job_history
    ALTER COLUMN ordinal SET DEFAULT ${sql.literal(transactionNumber)}`,
  makeRunner
}
