/**
 * Tests that transactions that share a COMMIT are committed together or not at all, but do not
 * otherwise affect each other.
 */
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { SqliteClient } from "@verbatim/adapters/sqlite"
import { upTo } from "@verbatim/testkit/samples"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { SqlError } from "effect/sql"
import { failureOf, opened, together } from "./SharedDatabase.ts"

describe("transactions that can share a COMMIT", () => {
  it.live("share a COMMIT if they arrive together", () =>
    Effect.gen(function* () {
      const { commits, ids, insert, shared } = yield* opened
      const exits = yield* together(upTo(16).map((id) => shared(insert(id))))
      assert.isTrue(exits.every(Exit.isSuccess))
      assert.deepStrictEqual(yield* ids, upTo(16))
      assert.strictEqual(commits(), 1)
    })
  )

  it.live("share a COMMIT only up to the maximum number of transactions", () =>
    Effect.gen(function* () {
      const { commits, ids, insert, shared } = yield* opened
      const count = 2 * SqliteClient.groupSizeMax + 1
      yield* together(upTo(count).map((id) => shared(insert(id))))
      assert.deepStrictEqual(yield* ids, upTo(count))
      assert.strictEqual(commits(), 3)
    })
  )

  it.live("are rolled back separately after a refusal, a defect or an interruption", () =>
    Effect.gen(function* () {
      const { commits, ids, insert, shared } = yield* opened
      const ends: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        Effect.void,
        Effect.fail("refused"),
        insert(1),
        Effect.die("defect"),
        Effect.interrupt,
        Effect.void
      ]
      const exits = yield* together(
        ends.map((end, index) => shared(Effect.andThen(insert(index + 1), end)))
      )
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, false, false, false, true])
      assert.strictEqual(failureOf(exits[1]), "refused")
      assert.strictEqual(failureOf(exits[3]), "defect")
      assert.isTrue(Exit.hasInterrupts(exits[4] ?? Exit.void))
      assert.deepStrictEqual(yield* ids, [1, 6])
      assert.strictEqual(commits(), 1)
    })
  )

  it.live("keep nested transactions separate", () =>
    Effect.gen(function* () {
      const { commits, ids, insert, shared, sql } = yield* opened
      const inner = (id: number, end: Effect.Effect<void, string>) =>
        Effect.ignore(sql.withTransaction(Effect.andThen(insert(id), end)))
      const outer = (id: number) =>
        shared(
          insert(id).pipe(
            Effect.andThen(inner(id + 1, Effect.fail("no"))),
            Effect.andThen(inner(id + 2, Effect.void))
          )
        )
      yield* together([outer(10), outer(20)])
      assert.deepStrictEqual(yield* ids, [10, 12, 20, 22])
      assert.strictEqual(commits(), 1)
    })
  )

  it.live("remain atomic even if they pause between their statements", () =>
    Effect.gen(function* () {
      const { ids, insert, shared } = yield* opened
      const slow = (id: number) =>
        shared(
          insert(id).pipe(Effect.andThen(Effect.sleep("2 millis")), Effect.andThen(insert(id + 1)))
        )
      const exits = yield* together([shared(insert(1)), slow(10), slow(20), shared(insert(30))])
      assert.isTrue(exits.every(Exit.isSuccess))
      assert.deepStrictEqual(yield* ids, [1, 10, 11, 20, 21, 30])
    })
  )

  it.live("let the next transaction begin if they are interrupted midway", () =>
    Effect.gen(function* () {
      const { ids, insert, shared } = yield* opened
      const reached = yield* Deferred.make<void>()
      const before = yield* Effect.forkChild(shared(insert(1)))
      const held = yield* Effect.forkChild(
        shared(
          insert(2).pipe(
            Effect.andThen(Deferred.succeed(reached, undefined)),
            Effect.andThen(Effect.never)
          )
        )
      )
      yield* Deferred.await(reached)
      const waiting = yield* Effect.forkChild(shared(insert(3)))
      const after = yield* Effect.forkChild(shared(insert(4)))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(held)
      yield* Fiber.joinAll([before, after])
      assert.deepStrictEqual(yield* ids, [1, 4])
    })
  )
})

describe("a transaction that shares a COMMIT", () => {
  it.live("ends only when other connections can see its writes", () =>
    Effect.gen(function* () {
      const { filename, insert, shared } = yield* opened
      const other = new DatabaseSync(filename, { readOnly: true })
      const isThere = other.prepare("SELECT count(*) AS count FROM t WHERE id = ?")
      const seen = yield* Effect.forEach(
        upTo(50),
        (id) => Effect.map(shared(insert(id)), () => isThere.get(id)?.count),
        { concurrency: 16 }
      )
      other.close()
      assert.deepStrictEqual(seen, Array(50).fill(1))
    })
  )

  it.live("fails if the COMMIT fails, even if writes that are now lost led to its refusal", () =>
    Effect.gen(function* () {
      const { commits, filename, ids, insert, shared, sql } = yield* opened
      const orphan = sql`INSERT INTO child VALUES (9)`
      const refused = Effect.flatMap(sql`SELECT id FROM t`, (rows) =>
        rows.length > 0 ? Effect.fail("taken") : Effect.void
      )
      const exits = yield* together([
        shared(Effect.fail("before all others")),
        shared(insert(1)),
        shared(orphan),
        shared(insert(2)),
        shared(refused)
      ])
      assert.strictEqual(failureOf(exits[0]), "before all others")
      for (const exit of exits.slice(1)) {
        const failure = failureOf(exit)
        assert.isTrue(SqlError.isSqlError(failure) && failure.reason._tag === "ConstraintError")
      }
      assert.strictEqual(commits(), 0)
      const other = new DatabaseSync(filename, { timeout: 0 })
      // Another connection can write, because the lock was released immediately.
      other.exec("BEGIN IMMEDIATE; ROLLBACK")
      other.close()
      yield* shared(insert(3))
      assert.deepStrictEqual(yield* ids, [3])
    })
  )

  it.live("fails if SQLite rolls it back because the disk is full", () =>
    Effect.gen(function* () {
      const { ids, insert, shared, sql } = yield* opened
      const pages = yield* sql<{ page_count: number }>`PRAGMA page_count`
      yield* sql.unsafe(`PRAGMA max_page_count = ${(pages[0]?.page_count ?? 0) + 2}`)
      const large = (id: number) => sql`INSERT INTO t VALUES (${id}, ${"x".repeat(100_000)})`
      const exits = yield* together([
        shared(insert(1)),
        shared(insert(2)),
        shared(large(3)),
        shared(insert(4))
      ])
      const reported = upTo(4).filter((id) => Exit.isSuccess(exits[id - 1] ?? Exit.fail("none")))
      assert.notInclude(reported, 3)
      assert.deepStrictEqual(yield* ids, reported)
      yield* shared(insert(5))
      assert.include(yield* ids, 5)
    })
  )

  it.live("fails if its client is closed before the COMMIT", () =>
    Effect.gen(function* () {
      const { close, filename, insert, shared } = yield* opened
      const finish = yield* Deferred.make<void>()
      const half = Effect.andThen(insert(4), Effect.andThen(Deferred.await(finish), insert(5)))
      const ended = upTo(3).map((id) => shared(insert(id)))
      const fibers = yield* Effect.forEach([...ended, shared(half)], (effect) =>
        Effect.forkChild(effect)
      )
      // Let the transactions run until they have to wait.
      yield* Effect.yieldNow
      assert.isTrue(fibers.every((fiber) => fiber.pollUnsafe() === undefined))
      yield* close
      yield* Deferred.succeed(finish, undefined)
      const exits = yield* Fiber.awaitAll(fibers)
      assert.isFalse(exits.some(Exit.isSuccess))
      const other = new DatabaseSync(filename)
      assert.strictEqual(other.prepare("SELECT count(*) AS count FROM t").get()?.count, 0)
      other.close()
    })
  )
})
