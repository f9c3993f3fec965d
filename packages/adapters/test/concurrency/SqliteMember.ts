/** Runs one process of the concurrency check on a SQLite file, with its own connection. */
import { layer, SqliteClient } from "@verbatim/adapters/sqlite"
import { serve, Troubles } from "@verbatim/testkit/concurrency"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

const { CHECK_FILE: filename = "" } = process.env

/** Causes faults: another connection writes to the file, and leases expire. */
const faults = Layer.effect(
  Troubles,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Troubles.of({
      // SQLite cannot lock a single row, because a writer locks the whole file.
      hold: (_row, during) => sql.withTransaction(during),
      lapse: (ids) =>
        Effect.asVoid(sql`UPDATE verbatim_work SET lease_until = 0 WHERE ${sql.in("job_id", ids)}`),
      // SQLite leaves no statement unfinished, because a statement ends before its call returns.
      calmly: (effect) => effect
    })
  )
).pipe(Layer.provide(Layer.fresh(SqliteClient.layer({ filename }))))

await serve(Layer.provideMerge(faults, layer({ filename })))
