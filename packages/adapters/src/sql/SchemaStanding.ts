/**
 * Whether a database still has the schema that this code needs, for whoever watches a process: it
 * was so at the start, and a backup may have been restored since, or a newer version be at work.
 */
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Migrations from "./Migrations.ts"
import { Statements } from "./Statements.ts"

export class SchemaStanding extends Context.Service<
  SchemaStanding,
  {
    /**
     * The migrations that the database lacks, by their names in order. Fails with a
     * `MigrationError` where this code must not use the database any more. Nothing is written.
     */
    readonly pending: Effect.Effect<
      ReadonlyArray<string>,
      Migrations.MigrationError | SqlError.SqlError
    >
  }
>()("@verbatim/adapters/sql/SchemaStanding") {
  static readonly layer: Layer.Layer<SchemaStanding, never, SqlClient.SqlClient | Statements> =
    Layer.effect(
      SchemaStanding,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const statements = yield* Statements
        return SchemaStanding.of({
          pending: Migrations.pending.pipe(
            Effect.provideService(SqlClient.SqlClient, sql),
            Effect.provideService(Statements, statements)
          )
        })
      })
    )
}
