/**
 * Migrations run while the previous version still uses the database (docs/decisions/0014). The
 * first migration creates all of `TableDescriptions`. A later migration is a list of steps, as in
 * `[statements(addColumn), index("name", on)]`, and is never changed once released.
 */

import { Clock, Context, Effect, Layer, Random } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Migrator from "./Migrator.ts"
import { type Migration, SchemaStatements, statements } from "./migration/Migration.ts"
import type { MigrationError } from "./migration/MigrationError.ts"
import { Statements } from "./Statements.ts"
import { createStatements, schemaDigest } from "./StoreTables.ts"

export {
  type BatchesStep,
  batches,
  type IndexStep,
  index,
  type Migration,
  type StatementsStep,
  type Step,
  statements
} from "./migration/Migration.ts"
export { MigrationError } from "./migration/MigrationError.ts"

/** Chooses a random name, one of 2^53. */
const makeName = Effect.map(Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER), (number) =>
  number.toString(36)
)

/**
 * Inserts the rows that every database has. The id of the feed encrypts feed cursors, so this id
 * consists of two random names and cannot be guessed. The identity row is never updated: on
 * Postgres, the transaction that wrote this row identifies the database
 * (`SchemaStatements.identify`).
 */
const insertFirstRows = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [first, second, identity] = yield* Effect.all([makeName, makeName, makeName])
  yield* sql`INSERT INTO verbatim_job_feed (id, mark, ordinal) VALUES (1, ${first + second}, 0)`
  const millis = yield* Clock.currentTimeMillis
  // On Postgres, the time comes from the server's clock.
  const now = sql.onDialectOrElse({
    pg: () => sql`floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`,
    orElse: () => sql`${millis}`
  })
  yield* sql`INSERT INTO verbatim_database_identity (id, identity, created_at)
    VALUES (1, ${identity}, ${now})`
})

const makeSchema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { countCommits, syntax } = yield* SchemaStatements
  for (const statement of createStatements(syntax)) yield* sql.unsafe(statement)
  yield* countCommits(sql)
  yield* insertFirstRows(sql)
})

const migrations: ReadonlyArray<Migration> = [
  { id: 1, name: `schema_${schemaDigest}`, steps: [statements(makeSchema)] }
]

/** Runs the missing migrations, and returns the completed ones. */
export const run: Migrator.InDatabase<Migrator.Completed> = Migrator.run(migrations)

/** Returns the names of the missing migrations, but writes nothing. */
export const pending: Migrator.InDatabase<ReadonlyArray<string>> = Migrator.pending(migrations)

/** Returns the SQL of the missing migrations, one statement per element. Writes nothing. */
export const print: Migrator.InDatabase<ReadonlyArray<string>> = Migrator.print(migrations)

/** Runs the missing migrations in a copy's target. All other functions refuse such a database. */
export const runForCopy: typeof run = Migrator.run(migrations, { isForCopy: true })

/** Compares the database's schema with this code. */
export const readStatus: Migrator.InDatabase<Migrator.SchemaStatus> =
  Migrator.readStatus(migrations)

/** Migrates the database to the current schema. */
export const layer: Layer.Layer<
  never,
  MigrationError | SqlError.SqlError,
  SqlClient.SqlClient | Statements
> = Layer.effectDiscard(run)

/**
 * Checks, for health probes, whether a database still has the schema that this code needs. Since
 * startup, a backup may have been restored, or a newer version may have migrated the database.
 */
export class SchemaMonitor extends Context.Service<
  SchemaMonitor,
  {
    /**
     * The names of the migrations that the database lacks, in order. Fails with a `MigrationError`
     * if this code must no longer use the database. Writes nothing.
     */
    readonly pending: Effect.Effect<ReadonlyArray<string>, MigrationError | SqlError.SqlError>
  }
>()("@verbatim/adapters/sql/SchemaMonitor") {
  static readonly layer: Layer.Layer<SchemaMonitor, never, SqlClient.SqlClient | Statements> =
    Layer.effect(
      SchemaMonitor,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const statements = yield* Statements
        return SchemaMonitor.of({
          pending: pending.pipe(
            Effect.provideService(SqlClient.SqlClient, sql),
            Effect.provideService(Statements, statements)
          )
        })
      })
    )
}
