/** Two copies into one empty database: one of them is complete, the other one leaves nothing. */
import { assert, describe, it } from "@effect/vitest"
import { Migrations, StoreCopy } from "@verbatim/adapters/sql"
import { Effect, Exit, Fiber, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as Records from "#src/sql/migration/MigrationRecords"
import { at, dump, type End, migrate } from "./Ends.ts"
import { newPostgres, newSqlite } from "./NewEnds.ts"

/** A store that differs from the others by its one row. */
const storeOf = Effect.fnUntraced(function* (id: string) {
  const end = yield* newSqlite
  yield* migrate(end)
  yield* Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`INSERT INTO verbatim_operator_keys (id, hash, hint, created_at) VALUES (${id}, '', '', 1)`
  ).pipe(at(end))
  return end
})

const copy = (from: End, target: StoreCopy.CopyTarget) =>
  StoreCopy.copyStore({
    source: from.source({ isInUse: false }),
    target,
    report: () => Effect.void
  })

/** One of the two was copied, and whoever comes later is let in. */
const assertOneCopied = Effect.fnUntraced(function* (
  target: End,
  copies: ReadonlyArray<{ readonly from: End; readonly exit: Exit.Exit<unknown, unknown> }>
) {
  const done = copies.filter(({ exit }) => Exit.isSuccess(exit))
  assert.lengthOf(done, 1, JSON.stringify(copies.map(({ exit }) => exit)))
  for (const { from } of done) assert.deepStrictEqual(yield* dump(target), yield* dump(from))
  yield* Migrations.run.pipe(at(target))
})

const kinds = [
  ["SQLite", newSqlite],
  ["Postgres", newPostgres]
] as const

/** Waits until a copy has ended, or until somebody waits for a lock of the database. */
const untilHeldUp = (fiber: Fiber.Fiber<unknown, unknown>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (;;) {
      const waiting = yield* sql`SELECT 1 FROM pg_locks JOIN pg_database ON database = oid
        WHERE NOT granted AND datname = current_database()`
      if (waiting.length > 0 || fiber.pollUnsafe() !== undefined) return
      yield* Effect.sleep("10 millis")
    }
  })

describe("two copies into one database", () => {
  for (const [name, newTarget] of kinds) {
    it.live(`of ${name} that start together do not mix`, () =>
      Effect.gen(function* () {
        const sources = yield* Effect.all([storeOf("one"), storeOf("other")])
        const target: End = yield* newTarget
        const copies = yield* Effect.forEach(
          sources,
          (from) => Effect.map(Effect.exit(copy(from, target.target)), (exit) => ({ from, exit })),
          { concurrency: "unbounded" }
        )
        yield* assertOneCopied(target, copies)
      })
    )
  }

  it.live("do not mix when one begins while the other has found it empty", () =>
    Effect.gen(function* () {
      const [one, other] = yield* Effect.all([storeOf("one"), storeOf("other")])
      const { client, target, ...rest } = yield* newPostgres
      const { schema } = target.statements
      let late: Fiber.Fiber<unknown, unknown> | undefined
      /** The other copy begins when this one has looked into every table but the last. */
      const isThere: typeof schema.isThere = (sql, table) =>
        Effect.gen(function* () {
          if (table === "verbatim_media_mark" && late === undefined) {
            late = yield* Effect.forkDetach(copy(other, target))
            yield* untilHeldUp(late).pipe(at({ client, target, ...rest }))
          }
          return yield* schema.isThere(sql, table)
        })
      const statements = { ...target.statements, schema: { ...schema, isThere } }
      const first = yield* Effect.exit(copy(one, { ...target, statements }))
      assert.isDefined(late)
      if (late === undefined) return
      const second = yield* Fiber.await(late)
      yield* assertOneCopied({ client, target, ...rest }, [
        { from: one, exit: first },
        { from: other, exit: second }
      ])
    })
  )
})

/** A server that had the database open before it was marked has written to it. */
const markFull = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Records.markCopy(sql)
})

describe("a database with rows that is marked as a copy", () => {
  const mends = (newEnd: Effect.Effect<End, never, Scope.Scope>) =>
    Effect.gen(function* () {
      const [from, filled, target] = [yield* storeOf("one"), yield* storeOf("own"), yield* newEnd]
      yield* copy(filled, target.target)
      yield* markFull.pipe(at(target))
      const error = yield* Effect.flip(copy(from, target.target))
      assert.instanceOf(error, StoreCopy.CopyError)
      assert.strictEqual(error.reason._tag, "TargetNotEmpty")
      assert.deepStrictEqual(yield* dump(target), yield* dump(filled))
      yield* Migrations.run.pipe(at(target))
    })
  for (const [name, newEnd] of kinds) {
    it.live(`is no copy, and is served again (${name})`, () => mends(newEnd))
  }
})
