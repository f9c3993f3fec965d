/** A host's transaction that sees corrections which a sweep has deleted since. */
import { assert, describe, it } from "@effect/vitest"
import { PostgresClient } from "@verbatim/adapters/postgres"
import { layer as stores } from "@verbatim/adapters/sql"
import { JobStore } from "@verbatim/core/ports"
import { foundFirst, workspaceId } from "@verbatim/testkit/samples"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { postgresStatements } from "#src/postgres/PostgresStatements"
import { makeSweep } from "#src/sql/job/CorrectionsAside"
import { countRows, expire, insertCorrected, none } from "../sql/SetAsideCases.ts"
import { newSchema, oneClient } from "./TemporarySchema.ts"

const sweepAll = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.repeat(makeSweep(sql, postgresStatements).step, { while: (count) => count > 0 })
)

describe("a job whose corrections were swept since a host began to read", () => {
  it.live("is removed with everything, now or when the host tries again", () =>
    Effect.gen(function* () {
      const config = yield* newSchema
      const client = PostgresClient.layer({ ...config, connectionsMax: 2 })
      const host = yield* Layer.build(Layer.fresh(Layer.provideMerge(stores(), client)))
      const other = yield* Layer.build(oneClient(config))
      const steps = Effect.gen(function* () {
        const [jobs, sql] = [yield* JobStore, yield* SqlClient.SqlClient]
        const { id } = yield* Effect.flatMap(insertCorrected(1), expire)
        const remove = jobs.remove(workspaceId(1), id)
        const within = Effect.gen(function* () {
          yield* sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`
          yield* sql`SELECT 1 FROM verbatim_workspaces`
          yield* Effect.provide(sweepAll, other)
          return yield* remove
        })
        yield* Effect.result(sql.withTransaction(within))
        yield* remove
        assert.deepStrictEqual(yield* countRows(1), none)
      })
      yield* Effect.provide(Effect.andThen(foundFirst, steps), host)
    })
  )
})
