/**
 * Runs the contract cases that depend on the database client, with clients of hosts that use other
 * drivers.
 */

import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import { PgClient } from "@effect/sql-pg"
import { PoolClient } from "@verbatim/adapters/postgres"
import { layer, layer as stores } from "@verbatim/adapters/sql"
import { clientCases, StoreContracts } from "@verbatim/testkit/contracts"
import { Effect, Layer, Redacted, Semaphore, String as Text } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import pg from "pg"
import { makeRowConnection } from "#src/sql/session/RowConnection"
import { advance, emptied } from "../postgres/TemporarySchema.ts"
import { newFile } from "../sqlite/TemporaryDatabase.ts"

/** Imitates another driver: one connection, no cache, and a bigint for every integer. */
const hostConnection = (database: DatabaseSync): SqlConnection.Connection =>
  makeRowConnection((text, params) =>
    Effect.try({
      try: () => {
        const statement = database.prepare(text)
        statement.setReadBigInts(true)
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
  )

const hostClient = (filename: string) =>
  Layer.effect(SqlClient.SqlClient)(
    Effect.gen(function* () {
      const database = new DatabaseSync(filename)
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

const overClient = Layer.unwrap(
  Effect.map(newFile, (filename) => {
    mkdirSync(dirname(filename))
    return Layer.provideMerge(layer(), Layer.fresh(hostClient(filename)))
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
