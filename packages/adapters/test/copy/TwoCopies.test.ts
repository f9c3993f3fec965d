/**
 * Tests two concurrent copies into one empty database: one completes, and the other leaves nothing
 * behind.
 */

import { assert, describe, it } from "@effect/vitest"
import { Migrations, StoreCopy } from "@verbatim/adapters/sql"
import { Effect, Exit, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as Records from "#src/sql/migration/MigrationRecords"
import { at, dump, type Endpoint, migrate, newPostgres, newSqlite } from "./Databases.ts"

/** Creates a store with one row that other stores do not have. */
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

const copy = (from: Endpoint, target: StoreCopy.CopyTarget) =>
  StoreCopy.copyStore({
    source: from.source({ isInUse: false }),
    target,
    report: () => Effect.void
  })

/** Asserts that exactly one of the two stores was copied, and that the copy opens. */
const assertOneCopied = Effect.fnUntraced(function* (
  target: Endpoint,
  copies: ReadonlyArray<{ readonly from: Endpoint; readonly exit: Exit.Exit<unknown, unknown> }>
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

describe("two copies into one database", () => {
  for (const [name, newTarget] of kinds) {
    it.live(`do not mix their rows if they start at the same time on ${name}`, () =>
      Effect.gen(function* () {
        const sources = yield* Effect.all([storeOf("one"), storeOf("other")])
        const target: Endpoint = yield* newTarget
        const copies = yield* Effect.forEach(
          sources,
          (from) => Effect.map(Effect.exit(copy(from, target.target)), (exit) => ({ from, exit })),
          { concurrency: "unbounded" }
        )
        yield* assertOneCopied(target, copies)
      })
    )
  }
})

/**
 * Imitates a server that had opened the database before the copy marked it, and then wrote a row.
 */
const markFull = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Records.markCopy(sql)
})

describe("a database that has rows and is marked as a copy", () => {
  const mends = (newEnd: Effect.Effect<Endpoint, never, Scope.Scope>) =>
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
    it.live(`does not count as a copy, and can be opened again (${name})`, () => mends(newEnd))
  }
})
