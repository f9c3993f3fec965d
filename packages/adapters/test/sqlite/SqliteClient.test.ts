import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { SqliteClient } from "@verbatim/adapters/sqlite"
import { Deferred, Effect, Exit, Fiber, Layer, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { newFile } from "./TemporaryDatabase.ts"

const memory = SqliteClient.layer({ filename: ":memory:" })

const table = Effect.tap(
  SqlClient.SqlClient,
  (sql) => sql`CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, name TEXT UNIQUE) STRICT`
)

const names = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string }>`SELECT name FROM t ORDER BY id`
  return rows.map(({ name }) => name)
})

const insert = (name: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO t (name) VALUES (${name})`)

const reasonOf = <A, R>(failing: Effect.Effect<A, SqlError.SqlError, R>) =>
  Effect.map(Effect.flip(failing), ({ reason }) => reason)

/** Opens two clients on one new file, each with its own connection. */
const twoClients = Effect.gen(function* () {
  const filename = yield* newFile
  mkdirSync(dirname(filename))
  const one = yield* Layer.build(Layer.fresh(SqliteClient.layer({ filename })))
  const other = yield* Layer.build(Layer.fresh(SqliteClient.layer({ filename })))
  yield* Effect.provide(table, one)
  return { one, other }
})

describe("SqliteClient", () => {
  it.effect("keeps a file in WAL mode, with full synchronisation and foreign keys", () =>
    Effect.gen(function* () {
      const { one } = yield* twoClients
      const sql = yield* Effect.provide(SqlClient.SqlClient, one)
      assert.deepStrictEqual(yield* sql`PRAGMA journal_mode`.values, [["wal"]])
      assert.deepStrictEqual(yield* sql`PRAGMA synchronous`.values, [[2]])
      assert.deepStrictEqual(yield* sql`PRAGMA foreign_keys`.values, [[1]])
    })
  )

  it.effect("fails, and states the reason, if the file cannot be opened", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      const reason = yield* reasonOf(Layer.build(SqliteClient.layer({ filename })))
      assert.strictEqual(reason._tag, "ConnectionError")
    })
  )

  it.live("opens a new file that another connection has set up", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      mkdirSync(dirname(filename))
      const database = new DatabaseSync(filename)
      database.exec("BEGIN EXCLUSIVE; CREATE TABLE theirs (id INTEGER)")
      const opening = yield* Effect.forkChild(Layer.build(SqliteClient.layer({ filename })))
      yield* Effect.sleep("20 millis")
      assert.isUndefined(opening.pollUnsafe())
      database.exec("COMMIT")
      const sql = yield* Effect.provide(SqlClient.SqlClient, yield* Fiber.join(opening))
      assert.deepStrictEqual(yield* sql`SELECT count(*) FROM theirs`.values, [[0]])
      database.close()
    })
  )

  it.effect("distinguishes a violated constraint from an invalid statement", () =>
    Effect.gen(function* () {
      const sql = yield* table
      yield* sql`CREATE TABLE child (parent INTEGER NOT NULL REFERENCES t (id)) STRICT`
      yield* sql`INSERT INTO t VALUES (1, 'a')`
      const tag = (statement: string) =>
        Effect.map(reasonOf(sql.unsafe(statement)), (reason) => reason._tag)
      assert.strictEqual(yield* tag("INSERT INTO t VALUES (1, 'b')"), "UniqueViolation")
      assert.strictEqual(yield* tag("INSERT INTO t VALUES (2, 'a')"), "UniqueViolation")
      assert.strictEqual(yield* tag("INSERT INTO child VALUES (9)"), "ConstraintError")
      assert.strictEqual(yield* tag("INSERT INTO child VALUES (NULL)"), "ConstraintError")
      assert.strictEqual(yield* tag("SELEC 1"), "UnknownError")
      const reason = yield* reasonOf(sql`INSERT INTO t VALUES (2, 'a')`)
      assert.propertyVal(reason, "constraint", "t.name")
    }).pipe(Effect.provide(memory))
  )

  it.effect("returns rows, arrays, streams and raw results", () =>
    Effect.gen(function* () {
      const sql = yield* table
      const inserted = yield* sql`INSERT INTO t (name) VALUES ('a'), ('b')`.raw
      assert.propertyVal(inserted, "changes", 2)
      const statement = sql<{ name: string }>`SELECT name FROM t ORDER BY id`
      assert.deepStrictEqual(yield* statement.values, [["a"], ["b"]])
      assert.deepStrictEqual(
        (yield* statement).map(({ name }) => name),
        ["a", "b"]
      )
      const streamed = yield* Stream.runCollect(Stream.map(statement.stream, ({ name }) => name))
      assert.deepStrictEqual(streamed, ["a", "b"])
      const first = yield* Stream.runCollect(Stream.take(statement.stream, 1))
      assert.strictEqual(first.length, 1)
      yield* sql`DROP TABLE t`
    }).pipe(Effect.provide(memory))
  )

  it.effect("can run more different statements than its cache can hold", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (let number = 0; number < 1_000; number++) {
        assert.deepStrictEqual(yield* sql.unsafe(`SELECT ${number}`).values, [[number]])
      }
    }).pipe(Effect.provide(memory))
  )
})

describe("transactions of a SqliteClient", () => {
  it.effect("are rolled back if they are interrupted, before the next transaction begins", () =>
    Effect.gen(function* () {
      const sql = yield* table
      const reached = yield* Deferred.make<void>()
      const held = sql.withTransaction(
        insert("lost").pipe(
          Effect.andThen(sql.withTransaction(insert("lost too"))),
          Effect.andThen(Deferred.succeed(reached, undefined)),
          Effect.andThen(Effect.never)
        )
      )
      const holder = yield* Effect.forkChild(held)
      yield* Deferred.await(reached)
      const waiting = yield* Effect.forkChild(sql.withTransaction(insert("never begun")))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(holder)
      yield* sql.withTransaction(insert("kept"))
      assert.deepStrictEqual(yield* names, ["kept"])
    }).pipe(Effect.provide(memory))
  )

  it.effect("do not block the program while one connection waits for another", () =>
    Effect.gen(function* () {
      const { one, other } = yield* twoClients
      const begun = yield* Deferred.make<void>()
      const finish = yield* Deferred.make<void>()
      const slow = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(
          insert("first").pipe(
            Effect.andThen(Deferred.succeed(begun, undefined)),
            Effect.andThen(Deferred.await(finish))
          )
        )
      )
      const quick = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(insert("second"))
      )
      const first = yield* Effect.forkChild(Effect.provide(slow, one))
      yield* Deferred.await(begun)
      const second = yield* Effect.forkChild(Effect.provide(quick, other))
      // If the second connection blocked the program, the next line would never run.
      yield* Effect.yieldNow
      yield* Deferred.succeed(finish, undefined)
      const ended = yield* Fiber.awaitAll([first, second])
      assert.isTrue(ended.every(Exit.isSuccess))
      assert.deepStrictEqual(yield* Effect.provide(names, one), ["first", "second"])
    })
  )
})
