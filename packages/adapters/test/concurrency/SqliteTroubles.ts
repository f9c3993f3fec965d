/** What happens to a SQLite file: another connection that writes, and leases that lapse. */
import { SqliteClient } from "@verbatim/adapters/sqlite"
import { Troubles } from "@verbatim/testkit/concurrency"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

const make = Effect.map(SqlClient.SqlClient, (sql) =>
  Troubles.of({
    // A writer locks the whole file.
    hold: (_row, during) => sql.withTransaction(during),
    lapse: (ids) =>
      Effect.asVoid(sql`UPDATE verbatim_work SET lease_until = 0 WHERE ${sql.in("job_id", ids)}`),
    // A call of SQLite is over when it answers.
    calmly: (effect) => effect
  })
)

/** On a connection of their own. */
export const sqliteTroubles = (filename: string) =>
  Layer.effect(Troubles, make).pipe(Layer.provide(Layer.fresh(SqliteClient.layer({ filename }))))
