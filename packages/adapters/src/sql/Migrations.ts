/**
 * The migrations, and how they run while the previous version still uses the database
 * (docs/decisions/0014). The first makes all of `TableDescriptions`. A later one has a list of
 * steps, as in `[statements(addColumn), index("name", on)]`, and never changes once it is
 * released.
 */
import { Clock, Effect, Layer, Random } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Migrator from "./Migrator.ts"
import { type Migration, SchemaStatements, statements } from "./migration/Migration.ts"
import type { MigrationError } from "./migration/MigrationError.ts"
import type { Statements } from "./Statements.ts"
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

/** There are 2^53 values. */
const makeName = Effect.map(Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER), (number) =>
  number.toString(36)
)

/**
 * The rows that every database has. Listeners see places of the feed encrypted with its mark: two
 * names are too many to try. The row of the identity is never updated: on Postgres, what wrote it
 * is the place of the database (`SchemaStatements.identify`).
 */
const insertFirstRows = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [first, second, identity] = yield* Effect.all([makeName, makeName, makeName])
  yield* sql`INSERT INTO verbatim_job_feed (id, mark, ordinal) VALUES (1, ${first + second}, 0)`
  const millis = yield* Clock.currentTimeMillis
  // By the clock of the store, where it has one of its own.
  const now = sql.onDialectOrElse({
    pg: () => sql`floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`,
    orElse: () => sql`${millis}`
  })
  yield* sql`INSERT INTO verbatim_database_identity (id, identity, created_at)
    VALUES (1, ${identity}, ${now})`
})

const makeSchema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { countCommits, spelling } = yield* SchemaStatements
  for (const statement of createStatements(spelling)) yield* sql.unsafe(statement)
  yield* countCommits(sql)
  yield* insertFirstRows(sql)
})

const migrations: ReadonlyArray<Migration> = [
  { id: 1, name: `schema_${schemaDigest}`, steps: [statements(makeSchema)] }
]

/** Runs the migrations that are missing, and returns which those were. */
export const run: Effect.Effect<
  Migrator.Ended,
  MigrationError | SqlError.SqlError,
  SqlClient.SqlClient | Statements
> = Migrator.run(migrations)

/** The migrations that are missing, by their names. Nothing is written. */
export const pending: Effect.Effect<
  ReadonlyArray<string>,
  MigrationError | SqlError.SqlError,
  SqlClient.SqlClient | Statements
> = Migrator.pending(migrations)

/** The same for the target of a copy, which everybody else refuses. */
export const runMarked: typeof run = Migrator.run(migrations, { isForCopy: true })

/** How a database stands to this code. */
export const standing: Effect.Effect<
  Migrator.Standing,
  MigrationError | SqlError.SqlError,
  SqlClient.SqlClient | Statements
> = Migrator.standing(migrations)

/** A database with the current schema. */
export const layer: Layer.Layer<
  never,
  MigrationError | SqlError.SqlError,
  SqlClient.SqlClient | Statements
> = Layer.effectDiscard(run)
