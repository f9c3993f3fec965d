/** Tests transactions and statements that have separate COMMITs. */
import { assert, describe, it } from "@effect/vitest"
import { upTo } from "@verbatim/testkit/samples"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { opened, together } from "./SharedDatabase.ts"

describe("a transaction that does not share a COMMIT", () => {
  it.live("ends with its own COMMIT", () =>
    Effect.gen(function* () {
      const { commits, ids, insert, sql } = yield* opened
      yield* together(upTo(5).map((id) => sql.withTransaction(insert(id))))
      assert.deepStrictEqual(yield* ids, upTo(5))
      assert.strictEqual(commits(), 5)
    })
  )

  it.live("delays neither readers nor earlier transactions", () =>
    Effect.gen(function* () {
      const { ids, insert, shared, sql } = yield* opened
      const finish = yield* Deferred.make<void>()
      const half = Effect.andThen(insert(2), Deferred.await(finish))
      const first = yield* Effect.forkChild(shared(insert(1)))
      const slow = yield* Effect.forkChild(sql.withTransaction(half))
      const after = yield* Effect.forkChild(shared(insert(3)))
      yield* Fiber.join(first)
      assert.deepStrictEqual(yield* ids, [1])
      assert.isUndefined(slow.pollUnsafe())
      assert.isUndefined(after.pollUnsafe())
      yield* Deferred.succeed(finish, undefined)
      yield* Fiber.join(after)
      assert.deepStrictEqual(yield* ids, [1, 2, 3])
    })
  )

  it.live("ends the group that shares the current COMMIT, as a single statement does", () =>
    Effect.gen(function* () {
      const { commits, ids, insert, shared, sql } = yield* opened
      const orphan = sql.withTransaction(sql`INSERT INTO child VALUES (9)`)
      const exits = yield* together([
        shared(insert(1)),
        insert(2),
        shared(insert(3)),
        orphan,
        shared(insert(4))
      ])
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, true, false, true])
      assert.deepStrictEqual(yield* ids, [1, 2, 3, 4])
      assert.strictEqual(commits(), 4)
    })
  )
})

describe("a statement outside a transaction", () => {
  it.live("reads only committed rows", () =>
    Effect.gen(function* () {
      const { ids, insert, shared, sql } = yield* opened
      const half = yield* Deferred.make<void>()
      const finish = yield* Deferred.make<void>()
      const writer = yield* Effect.forkChild(
        sql.withTransaction(
          insert(1).pipe(
            Effect.andThen(Deferred.succeed(half, undefined)),
            Effect.andThen(Deferred.await(finish))
          )
        )
      )
      yield* Deferred.await(half)
      assert.deepStrictEqual(yield* ids, [])
      yield* Deferred.succeed(finish, undefined)
      yield* Fiber.join(writer)
      assert.deepStrictEqual(yield* ids, [1])
      for (const id of [2, 3, 4]) {
        yield* shared(insert(id))
        assert.include(yield* ids, id)
      }
    })
  )

  it.live("waits for the current transaction if it both writes and returns rows", () =>
    Effect.gen(function* () {
      const { insert, sql } = yield* opened
      yield* insert(1)
      const returned = yield* sql`INSERT INTO t (id) VALUES (2) RETURNING id`
      assert.deepStrictEqual({ ...returned[0] }, { id: 2 })
      const counted = yield* sql`WITH all_of AS (SELECT * FROM t) SELECT count(*) FROM all_of`
        .values
      assert.deepStrictEqual(counted, [[2]])
    })
  )
})
