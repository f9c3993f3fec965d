/** Versions of one preset under one key, of which one has a condition: they lock in two orders. */
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/postgres"
import { IdempotencyKey } from "@verbatim/core/idempotency"
import { PresetStore } from "@verbatim/core/ports"
import { makeDraft, withWorkspace } from "@verbatim/testkit/samples"
import { Effect, Fiber, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { newSchema, oneClient } from "./TemporarySchema.ts"

const keyed = (number: number) => ({
  ...makeDraft(number),
  request: Option.some({ key: IdempotencyKey.make("order-1"), fingerprint: "0".repeat(64) })
})

/** Until so many sessions wait for what another one holds. */
const untilWaiting = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  // Of this file's own database: others on the server wait for what they like.
  const waiting = sql`SELECT DISTINCT pid FROM pg_locks WHERE NOT granted
    AND pid IN (SELECT pid FROM pg_locks WHERE relation = 'presets'::regclass)`
  while ((yield* waiting).length < count) yield* Effect.yieldNow
})

describe("versions of one preset on Postgres", () => {
  it.live("under one key, with a condition and without: one is written, none is contended", () =>
    Effect.gen(function* () {
      const config = yield* newSchema
      yield* withWorkspace(function* () {
        const presets = yield* PresetStore
        yield* presets.append(makeDraft(1))
        const sql = yield* SqlClient.SqlClient
        const both = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT 1 FROM presets FOR UPDATE`
            const first = yield* Effect.forkDetach(
              Effect.result(presets.append({ ...keyed(2), condition: { match: "any" } }))
            )
            yield* untilWaiting(1)
            const second = yield* Effect.forkDetach(Effect.result(presets.append(keyed(3))))
            yield* untilWaiting(2)
            return [first, second] as const
          })
        )
        const results = yield* Effect.forEach(both, (fiber) => Fiber.join(fiber))
        const told = results.map((result) =>
          Result.isSuccess(result) ? "written" : result.failure.reason._tag
        )
        assert.deepStrictEqual(told.toSorted(), ["KeyTaken", "written"])
      }).pipe(Effect.provide(Layer.merge(layer(config), oneClient(config))))
    })
  )
})
