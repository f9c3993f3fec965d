/**
 * All migrations of a database that has none yet, in one transaction: nobody uses tables that are
 * not there, so nobody has to be let through between two steps, and no build of an index has to
 * wait for old snapshots. Before its one commit there is nothing to lose; a process that dies
 * leaves a database as new as it was.
 */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Migration, Step } from "./Migration.ts"
import * as Records from "./MigrationRecords.ts"
import type { Turn } from "./MigrationTurn.ts"
import { SchemaStatements } from "./SchemaStatements.ts"

/** Where migrations are run, and how. */
interface Database {
  readonly sql: SqlClient.SqlClient
  readonly schema: SchemaStatements["Service"]
  readonly turn: Turn
}

const takeStep = (sql: SqlClient.SqlClient, step: Step) => {
  switch (step._tag) {
    case "Batches":
      return Effect.repeat(step.run, { while: (hasMore) => hasMore })
    case "Index":
      return sql`CREATE INDEX ${sql(step.name)} ON ${step.on(sql)}`
    case "Statements":
      return step.run
  }
}

/**
 * Takes every step of these migrations where none has begun, and says whether it did. The tables of
 * the records are there. What the database refuses leaves nothing behind, and is left to be told by
 * those who take one step after the other.
 */
export const takeAll = (
  { schema, sql, turn }: Database,
  migrations: ReadonlyArray<Migration>
): Effect.Effect<boolean, SqlError.SqlError> => {
  const isNew = Effect.map(Records.read(sql, schema), (begun) => begun.length === 0)
  const all = Effect.gen(function* () {
    yield* schema.lockRecords(sql)
    // Another process may have been faster.
    if (!(yield* isNew)) return false
    for (const migration of migrations) {
      for (const step of migration.steps) yield* takeStep(sql, step)
      yield* Records.record(sql, migration, migration.steps.length)
    }
    return true
  }).pipe(
    Effect.provideService(SqlClient.SqlClient, sql),
    Effect.provideService(SchemaStatements, schema)
  )
  const tried = Effect.catch(turn.transaction(all), () => Effect.succeed(false))
  return Effect.flatMap(isNew, (wanted) => (wanted ? tried : Effect.succeed(false)))
}
