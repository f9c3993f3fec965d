/** The schemas of a Postgres that have a job. */
import { PostgresClient } from "@verbatim/adapters/postgres"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"

/** Looks through the tables of jobs in all schemas. */
export const schemasWith = (url: string, id: string): Promise<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const places = yield* sql<{ readonly schema: string }>`SELECT table_schema::text AS schema
      FROM information_schema.tables WHERE table_name = 'verbatim_jobs'`
    return yield* Effect.filter(
      places.map(({ schema }) => schema),
      (schema) =>
        Effect.map(
          sql`SELECT 1 FROM ${sql(schema)}.verbatim_jobs WHERE id = ${id}`,
          (rows) => rows.length > 0
        )
    )
  }).pipe(
    Effect.provide(PostgresClient.layer({ url: Redacted.make(url), connectionsMax: 1 })),
    Effect.runPromise
  )
