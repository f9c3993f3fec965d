/** The tables of a Postgres in which a job is, whatever they are called. */
import { PostgresClient } from "@verbatim/adapters/postgres"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"

/** A table, and where it is. */
export interface TablePlace {
  readonly schema: string
  readonly table: string
}

/** Looks through the tables of jobs in all schemas. */
export const tablesWith = (url: string, id: string): Promise<ReadonlyArray<TablePlace>> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const places = yield* sql<TablePlace>`SELECT table_schema::text AS schema,
      table_name::text AS "table" FROM information_schema.tables WHERE table_name LIKE '%jobs'`
    return yield* Effect.filter(places, ({ schema, table }) =>
      Effect.map(
        sql`SELECT 1 FROM ${sql(schema)}.${sql(table)} WHERE id = ${id}`,
        (rows) => rows.length > 0
      )
    )
  }).pipe(
    Effect.provide(PostgresClient.layer({ url: Redacted.make(url), connectionsMax: 1 })),
    Effect.runPromise
  )
