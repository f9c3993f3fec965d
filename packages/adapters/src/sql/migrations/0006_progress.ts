/**
 * Work remembers how far it has come.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

/** Adds the column, in thousandths. It is part of a lease: with none, nothing is known. */
export const migration = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { int } = (yield* SchemaStatements).types(sql)

  yield* sql`ALTER TABLE verbatim_work ADD COLUMN progress ${int}`
})
