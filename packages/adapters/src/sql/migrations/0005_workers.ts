/**
 * Workers give signs of themselves, for operators to see.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

/** Adds the table of signs. */
export const migration = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { int, key, strict } = (yield* SchemaStatements).types(sql)

  yield* sql`
    CREATE TABLE verbatim_workers (
      id ${key} NOT NULL PRIMARY KEY,
      name TEXT NOT NULL,
      running TEXT NOT NULL,
      started_at ${int} NOT NULL,
      seen_at ${int} NOT NULL
    ) ${strict}`
})
