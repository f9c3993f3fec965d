/**
 * Checks whether the database is reachable, accepts writes, has the current schema, keeps committed
 * data, and has a clock that agrees with this machine's. The check creates and migrates nothing.
 */
import { statSync } from "node:fs"
import { PostgresClient } from "@verbatim/adapters/postgres"
import * as Sql from "@verbatim/adapters/sql"
import { SqliteClient } from "@verbatim/adapters/sqlite"
import { type DatabaseIdentity, JobStore } from "@verbatim/core/ports"
import { explainDatabaseError, placeOf } from "@verbatim/embed/trouble"
import { Clock, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { Configuration } from "../Configuration.ts"
import { type DatabaseLocation, type StoredLocation, schemaVariable } from "../DatabaseLocation.ts"
import * as ExistingStore from "../ExistingStore.ts"
import { type Finding, failed, ok, warning } from "./Finding.ts"

const what = "database"

/** Opens an existing database. */
export const clientOf = (
  location: StoredLocation
): Layer.Layer<SqlClient.SqlClient | Sql.Statements, Sql.HostStoresError> =>
  Sql.client().pipe(
    Layer.provide(
      location._tag === "Sqlite"
        ? SqliteClient.layer(location)
        : PostgresClient.layer({ ...location, maxConnections: 2 })
    )
  )

/** Reads the media marker from the database. Returns `none` if there is no store. */
export const findMarker = Effect.fnUntraced(function* ({
  database
}: Pick<Configuration, "database">) {
  if (database._tag === "Memory" || !(yield* ExistingStore.exists(database))) {
    return Option.none<DatabaseIdentity>()
  }
  const identity = Effect.flatMap(JobStore, ({ databaseIdentity }) => databaseIdentity)
  return Option.some(
    yield* Effect.provide(identity, Layer.provide(Sql.SqlJobStore.layer, clientOf(database)))
  )
})

/**
 * Opens a database for reading. In place of a missing SQLite file, opens an empty in-memory
 * database, because SQLite would create the file.
 */
const readerOf = (location: StoredLocation) => {
  const isMissing =
    location._tag === "Sqlite" &&
    statSync(location.filename, { throwIfNoEntry: false }) === undefined
  return clientOf(isMissing ? { ...location, filename: ":memory:" } : location)
}

/** Lists the names of the migrations that a database lacks. */
export const findPending = (location: StoredLocation) =>
  Effect.provide(Sql.Migrations.pending, readerOf(location))

/** Returns the SQL of the migrations that a database lacks. */
export const printPending = (location: StoredLocation) =>
  Effect.provide(Sql.Migrations.print, readerOf(location))

const schema = Effect.map(Sql.Migrations.pending, (names) =>
  names.length === 0
    ? [ok("migrations", "all migrations are applied")]
    : [
        warning(
          "migrations",
          `missing: ${names.join(", ")}; the next start or \`verbatim migrate\` applies them`
        )
      ]
)

/**
 * Maximum wait for SQLite's write lock. Our transactions take milliseconds, so the wait is shorter
 * than SQLite's own five seconds.
 */
const lockTimeout = Duration.seconds(3)

const lockedFor = Duration.format(lockTimeout)

const locked = `another program has held the write lock for over ${lockedFor}: stop it`

/** Acquires the write lock, which a read-only database refuses. */
const takesWrites = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const taken = yield* Effect.timeoutOption(sql.withTransaction(sql`SELECT 1`), lockTimeout)
  return Option.isSome(taken)
    ? ok("writes", "the database is neither locked nor read-only")
    : failed("writes", locked)
})

const ownerOnly = 0o077

/** Checks the permissions of the file, because it contains people's conversations. */
const permissions = (filename: string): Finding => {
  const { mode } = statSync(filename)
  return process.platform !== "win32" && (mode & ownerOnly) !== 0
    ? warning("privacy", `other users can read ${filename}: run chmod 600 on it`)
    : ok("privacy", "only its owner can read the file")
}

interface ServerRow {
  readonly fsync: string
  readonly pages: string
  readonly isReplica: boolean
  readonly isReadOnly: boolean
  /** The source of the read-only setting, as Postgres names it. */
  readonly source: string
  readonly now: string
  readonly used: string
  readonly all: string
}

const durability = ({ fsync, pages }: ServerRow): Finding =>
  fsync === "off" || pages === "off"
    ? failed("durability", "a crash of the server loses jobs: turn on fsync and full_page_writes")
    : ok("durability", "committed data is on disk")

/**
 * Maximum difference between two clocks. Receivers refuse webhooks with older timestamps, as
 * Standard Webhooks recommends.
 */
const harmfulMillis = 300_000

const clocks = (difference: number): Finding => {
  const length = Duration.format(Duration.millis(Math.abs(Math.round(difference))))
  const apart = `the clocks of this machine and the database differ by ${length}`
  if (Math.abs(difference) < 2_000) return ok("clock", apart)
  const finding = Math.abs(difference) < harmfulMillis ? warning : failed
  return finding("clock", `${apart}: synchronise both with a time server`)
}

/** Minimum number of free sessions. With fewer, a process may get no session when it starts. */
const sessionsMin = 10

const sessions = ({ all, used }: ServerRow): Finding => {
  const free = Number(all) - Number(used)
  const summary = `${free} of ${all} sessions are free`
  const advice = "raise max_connections or lower VERBATIM_DATABASE_CONNECTIONS"
  return free < sessionsMin ? warning("sessions", `${summary}: ${advice}`) : ok("sessions", summary)
}

/** Says which sessions a setting applies to, keyed by its source in the `pg_settings` view. */
const settled: Readonly<Record<string, string>> = {
  user: "this role",
  database: "this database",
  "database user": "this role in this database",
  client: "this URL"
}

/**
 * Explains why a server does not accept writes, and what to do. Returns undefined if it accepts
 * them.
 */
const refusalOf = ({ isReadOnly, isReplica, source }: ServerRow): string | undefined => {
  if (isReplica) return "it is a read-only replica: use the URL of its primary"
  const whom = settled[source] ?? "the whole server"
  return isReadOnly ? `default_transaction_read_only is on for ${whom}: turn it off` : undefined
}

const server = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The first query is not timed, because it also opens the session.
  const pooled = yield* Effect.as(Sql.PoolerCheck.requireStableSessions(sql), "").pipe(
    Effect.catchTag("MigrationError", ({ message }) => Effect.succeed(message))
  )
  if (pooled !== "") return [failed("sessions", pooled)]
  const before = yield* Clock.currentTimeMillis
  const [row] = yield* sql<ServerRow>`SELECT current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS pages, pg_is_in_recovery() AS "isReplica",
    current_setting('transaction_read_only')::boolean AS "isReadOnly",
    (SELECT source FROM pg_settings WHERE name = 'default_transaction_read_only') AS source,
    (extract(epoch FROM clock_timestamp()) * 1000)::text AS now,
    (SELECT count(*)::text FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
    current_setting('max_connections') AS all`
  const after = yield* Clock.currentTimeMillis
  if (row === undefined) return []
  const refusal = refusalOf(row)
  return [
    refusal === undefined ? yield* takesWrites : failed("writes", refusal),
    durability(row),
    sessions(row),
    // The server read its clock between our two readings, so it is compared with their middle.
    clocks(Number(row.now) - (before + after) / 2)
  ]
})

const file = (filename: string) =>
  Effect.map(takesWrites, (writes) => [writes, permissions(filename)])

const explain = (location: DatabaseLocation) => (error: unknown) => {
  const sentence = explainDatabaseError(location, error, schemaVariable)
  if (sentence === undefined) return Effect.fail(error)
  const isMigration = error instanceof Sql.Migrations.MigrationError
  return Effect.succeed([failed(isMigration ? "migrations" : what, sentence)])
}

const check = Effect.fnUntraced(function* (location: StoredLocation) {
  const place = placeOf(location)
  if (!(yield* ExistingStore.exists(location))) {
    const sentence = `there is no store in ${place} yet; the server creates it when it starts`
    return [warning(what, sentence)]
  }
  const rest = location._tag === "Sqlite" ? file(location.filename) : server
  return yield* Effect.all([Effect.succeed([ok(what, `reachable: ${place}`)]), schema, rest]).pipe(
    Effect.map((rows) => rows.flat()),
    Effect.provide(clientOf(location))
  )
})

export const checkStore = ({ database }: Configuration) =>
  database._tag === "Memory"
    ? Effect.succeed([ok(what, "in memory; nothing to check")])
    : Effect.catch(check(database), explain(database))
