/**
 * Workspaces and keys have limits; workspaces have a rule of retention.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Step, statements } from "../migration/Migration.ts"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

const limits = ["requests_per_second", "unfinished_jobs", "minutes_per_day"]

const columns = {
  verbatim_workspaces: [...limits, "media_days", "transcript_days", "job_days"],
  verbatim_api_keys: limits
}

/** What an older program writes has none of them, and what it changes keeps them. */
const addColumns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { int } = (yield* SchemaStatements).types(sql)
  for (const [table, names] of Object.entries(columns)) {
    for (const name of names) {
      yield* sql`ALTER TABLE ${sql.literal(table)} ADD COLUMN ${sql.literal(name)} ${int}`
    }
  }
})

/** Adds columns to tables of a few rows. */
export const steps: ReadonlyArray<Step> = [statements(addColumns)]
