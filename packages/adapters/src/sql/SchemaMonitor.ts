/**
 * Checks, for health probes, whether a database still has the schema that this code needs. Since
 * startup, a backup may have been restored, or a newer version may have migrated the database.
 */
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Migrations from "./Migrations.ts"
import { Statements } from "./Statements.ts"

export class SchemaMonitor extends Context.Service<
  SchemaMonitor,
  {
    /**
     * The names of the migrations that the database lacks, in order. Fails with a `MigrationError`
     * if this code must no longer use the database. Writes nothing.
     */
    readonly pending: Effect.Effect<
      ReadonlyArray<string>,
      Migrations.MigrationError | SqlError.SqlError
    >
  }
>()("@verbatim/adapters/sql/SchemaMonitor") {
  static readonly layer: Layer.Layer<SchemaMonitor, never, SqlClient.SqlClient | Statements> =
    Layer.effect(
      SchemaMonitor,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const statements = yield* Statements
        return SchemaMonitor.of({
          pending: Migrations.pending.pipe(
            Effect.provideService(SqlClient.SqlClient, sql),
            Effect.provideService(Statements, statements)
          )
        })
      })
    )
}
