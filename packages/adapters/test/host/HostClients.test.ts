/**
 * Runs the contract cases that depend on the database client, with clients of hosts that use other
 * drivers.
 */

import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { PoolClient } from "@verbatim/adapters/postgres"
import { layer, layer as stores } from "@verbatim/adapters/sql"
import { clientCases, StoreContracts } from "@verbatim/testkit/contracts"
import { Effect, Layer, Redacted, Semaphore, Stream, String as Text } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import pg from "pg"
import { makeExact } from "#src/sql/host/ExactClient"
import { advance, emptied } from "../postgres/TemporarySchema.ts"
import { newFile } from "../sqlite/TemporaryDatabase.ts"

/** Imitates another driver: one connection, no cache, and a bigint for every integer. */
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

const makeClient = Effect.fnUntraced(function* (
  filename: string,
  more?: Partial<SqlConnection.Connection>
) {
  const database = new DatabaseSync(filename)
  yield* Effect.addFinalizer(() => Effect.sync(() => database.close()))
  return yield* SqlClient.make({
    ...SqlClient.makeSqliteAcquirers({
      connection: Effect.succeed({ ...hostConnection(database), ...more }),
      semaphore: Semaphore.makeUnsafe(1),
      isTransaction: () => database.isTransaction
    }),
    compiler: Statement.makeCompilerSqlite(),
    driver: "hosts-own",
    spanAttributes: []
  })
}, Effect.provide(Reactivity.layer))

it.effect("a host's client runs unprepared statements without preparing them", () =>
  Effect.gen(function* () {
    const executeUnprepared = () => Effect.succeed([{ isPrepared: 0n }])
    const sql = makeExact(yield* makeClient(":memory:", { executeUnprepared }))
    const statement = sql`SELECT 1 AS "isPrepared"`
    assert.deepStrictEqual(yield* statement, [{ isPrepared: 1 }])
    assert.deepStrictEqual(yield* statement.unprepared, [{ isPrepared: 0 }])
    assert.deepStrictEqual(yield* statement.valuesUnprepared, [[0]])
  })
)

const overClient = Layer.unwrap(
  Effect.map(newFile, (filename) => {
    mkdirSync(dirname(filename))
    return Layer.provideMerge(
      layer(),
      Layer.fresh(Layer.effect(SqlClient.SqlClient)(makeClient(filename)))
    )
  })
)

StoreContracts.suite("a host's own SQLite client", overClient, { only: clientCases })

const overPgClient = emptied(({ url }) =>
  layer().pipe(
    // The stores' rows must stay unchanged, although the host transforms names.
    Layer.provide(
      PgClient.layer({
        url,
        transformResultNames: Text.snakeToCamel,
        transformQueryNames: Text.camelToSnake
      })
    )
  )
)

StoreContracts.suite("a host's own PgClient", overPgClient, { advance, only: clientCases })

/**
 * Number of sessions in the pool. One case sends many concurrent requests while the stores send
 * batched statements.
 */
const sessionsMax = 10

const onPool = emptied(({ url }) =>
  Layer.unwrap(
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(
          () => new pg.Pool({ connectionString: url && Redacted.value(url), max: sessionsMax })
        ),
        (opened) => Effect.promise(() => opened.end())
      ),
      (pool) => Layer.provide(stores(), PoolClient.layer(pool))
    )
  )
)

StoreContracts.suite("a pg pool", onPool, { advance, only: clientCases })
