/** Tests that no write is acknowledged if its file was deleted or moved. */
import { existsSync, renameSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { failureOf, opened, together } from "./SharedDatabase.ts"

const ends = ["", "-wal"] as const

const take = (file: string) => Effect.sync(() => renameSync(file, `${file}.away`))

const bringBack = (file: string) => Effect.sync(() => renameSync(`${file}.away`, file))

describe("a database file that is moved during a transaction", () => {
  for (const end of ends) {
    it.live(
      `rolls back the transaction, shared or not${end && `, even if only its ${end} file moved`}`,
      () =>
        Effect.gen(function* () {
          const { filename, ids, insert, shared, sql } = yield* opened
          const file = `${filename}${end}`
          yield* insert(1)
          assert.deepStrictEqual(yield* ids, [1])
          const alone = yield* Effect.exit(
            sql.withTransaction(Effect.andThen(insert(2), take(file)))
          )
          assert.isTrue(Exit.isFailure(alone))
          assert.include(String(failureOf(alone)), "SQLite could not execute")
          assert.deepStrictEqual(yield* ids, [1])
          assert.isTrue(Exit.isFailure(yield* Effect.exit(insert(3))))
          yield* bringBack(file)

          const exits = yield* together([
            shared(insert(4)),
            shared(Effect.andThen(insert(5), take(file))),
            shared(insert(6))
          ])
          assert.deepStrictEqual(exits.map(Exit.isFailure), [true, true, true])
          assert.deepStrictEqual(yield* ids, [1])
          yield* bringBack(file)

          yield* shared(insert(7))
          yield* sql.withTransaction(insert(8))
          assert.deepStrictEqual(yield* ids, [1, 7, 8])
          assert.isFalse(existsSync(`${file}.away`))
        })
    )
  }
})
