/**
 * Brings a database to the present schema. Safe to run by many programs at once: the first one does
 * it in a transaction, the others wait and find it done.
 */
import { Effect, Layer } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import * as Dialect from "./Dialect.ts"
import * as stores from "./migrations/0001_stores.ts"
import * as designations from "./migrations/0002_designations.ts"
import * as webhookSecrets from "./migrations/0003_webhook_secrets.ts"
import * as jobLists from "./migrations/0004_job_lists.ts"
import * as workers from "./migrations/0005_workers.ts"
import * as progress from "./migrations/0006_progress.ts"
import * as queue from "./migrations/0007_queue.ts"

const migrations = {
  "0001_stores": stores.migration,
  "0002_designations": designations.migration,
  "0003_webhook_secrets": webhookSecrets.migration,
  "0004_job_lists": jobLists.migration,
  "0005_workers": workers.migration,
  "0006_progress": progress.migration,
  "0007_queue": queue.migration
}

const missing = Migrator.make({})({
  loader: Migrator.fromRecord(migrations),
  // Not Effect's own name: a host may keep its migrations in the same database.
  table: "verbatim_migrations"
})

/** Runs the migrations that are missing, and returns which those were. */
export const run: Effect.Effect<
  ReadonlyArray<readonly [id: number, name: string]>,
  Migrator.MigrationError | SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.flatMap(SqlClient.SqlClient, (sql) => Dialect.alone(sql, "migrations", missing))

/** A database with the present schema. */
export const layer: Layer.Layer<
  never,
  Migrator.MigrationError | SqlError.SqlError,
  SqlClient.SqlClient
> = Layer.effectDiscard(run)
