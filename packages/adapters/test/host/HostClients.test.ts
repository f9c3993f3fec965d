/** All contracts over clients that a host made by itself. */
import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import { PgClient } from "@effect/sql-pg"
import { layer } from "@verbatim/adapters/sql"
import { StoreContracts } from "@verbatim/testkit/contracts"
import { Effect, Layer, Semaphore, Stream, String as Text } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import { advance, emptied } from "../postgres/TemporarySchema.ts"
import { check, plant, prefix } from "./HostTables.ts"

const overPgClient = emptied({
  prefix,
  plant,
  check,
  stores: ({ url }) =>
    layer({ tablePrefix: prefix }).pipe(
      // A host's own transforms are not for our rows.
      Layer.provide(
        PgClient.layer({
          url,
          transformResultNames: Text.snakeToCamel,
          transformQueryNames: Text.camelToSnake
        })
      )
    )
})

StoreContracts.suite("a host's own PgClient", overPgClient, { advance })

/** A driver as others write it: one connection, no cache, and every integer a bigint. */
const hostConnection = (database: DatabaseSync): SqlConnection.Connection => {
  const run = (text: string, params: ReadonlyArray<unknown>, isArrays = false) =>
    Effect.try({
      try: () => {
        const statement = database.prepare(text)
        statement.setReadBigInts(true)
        statement.setReturnArrays(isArrays)
        return statement.all(...(params as Array<SQLInputValue>))
      },
      catch: (cause) =>
        new SqlError.SqlError({
          reason: SqlError.classifySqliteError(
            Object.assign(cause as Error, { errno: (cause as { errcode?: number }).errcode }),
            { message: "refused", operation: "execute" }
          )
        })
    })
  const values = (text: string, params: ReadonlyArray<unknown>) =>
    Effect.map(run(text, params, true), (rows) => rows.map((row) => Object.values(row)))
  const records = (text: string, params: ReadonlyArray<unknown>) => run(text, params)
  return {
    execute: records,
    executeRaw: records,
    executeValues: values,
    executeValuesUnprepared: values,
    executeUnprepared: records,
    executeStream: () => Stream.die("no streams")
  }
}

const hostSqlite = Layer.effect(SqlClient.SqlClient)(
  Effect.gen(function* () {
    const database = new DatabaseSync(":memory:")
    yield* Effect.addFinalizer(() => Effect.sync(() => database.close()))
    return yield* SqlClient.make({
      ...SqlClient.makeSqliteAcquirers({
        connection: Effect.succeed(hostConnection(database)),
        semaphore: Semaphore.makeUnsafe(1),
        isTransaction: () => database.isTransaction
      }),
      compiler: Statement.makeCompilerSqlite(),
      driver: "hosts-own",
      spanAttributes: []
    })
  })
).pipe(Layer.provide(Reactivity.layer))

const overSqlite = layer({ tablePrefix: prefix }).pipe(
  Layer.provide(Layer.fresh(hostSqlite.pipe(Layer.tap((context) => Effect.provide(plant, context)))))
)

StoreContracts.suite("a host's own client of SQLite", overSqlite)
