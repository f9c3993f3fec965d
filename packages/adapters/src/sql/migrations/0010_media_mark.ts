/**
 * A database knows the media store that belongs to it.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

/** Adds the table, which has one row at most. */
export const migration = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { int, strict } = (yield* SchemaStatements).types(sql)

  yield* sql`
    CREATE TABLE verbatim_media_mark (
      id ${int} NOT NULL PRIMARY KEY CHECK (id = 1),
      marker TEXT NOT NULL
    ) ${strict}`
})
