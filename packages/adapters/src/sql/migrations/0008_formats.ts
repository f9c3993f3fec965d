/** Jobs say which format their state has, so that code that cannot read it leaves it alone. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Step, statements } from "../migration/Migration.ts"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

/** A constant default is not written to the rows, so the table may be of any size. */
const addFormat = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { int } = (yield* SchemaStatements).types(sql)
  yield* sql`ALTER TABLE verbatim_jobs ADD COLUMN format ${int} NOT NULL DEFAULT 1`
})

/** Adds the column. */
export const steps: ReadonlyArray<Step> = [statements(addFormat)]
