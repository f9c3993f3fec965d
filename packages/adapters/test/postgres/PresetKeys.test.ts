/** Tests concurrent writes of versions with idempotency keys, and the deletion of expired keys. */
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/postgres"
import { IdempotencyKey, keyWindow } from "@verbatim/core/idempotency"
import { PresetStore } from "@verbatim/core/ports"
import type { PresetDraft } from "@verbatim/core/preset"
import { makeDraft, upTo, withWorkspace } from "@verbatim/testkit/samples"
import { Duration, Effect, Fiber, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { makeKeySweep } from "#src/sql/preset/PresetAppend"
import { Statements } from "#src/sql/Statements"
import { newSchema, oneClient, onServer } from "./TemporarySchema.ts"

const under = (key: string): Pick<PresetDraft, "request"> => ({
  request: Option.some({ key: IdempotencyKey.make(key), fingerprint: "0".repeat(64) })
})

const keyed = (number: number, more: Partial<PresetDraft> = {}) =>
  makeDraft(number, { ...under("order-1"), ...more })

/**
 * Waits until the given number of sessions wait for a lock, and returns the kinds of these locks.
 */
const untilBlocked = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  // Look only at sessions on this file's database.
  const waiting = sql<{ readonly locktype: string }>`SELECT locktype FROM pg_locks
    WHERE NOT granted AND pid IN (
      SELECT pid FROM pg_stat_activity WHERE datname = current_database())`
  let rows = yield* waiting
  while (rows.length < count) {
    yield* Effect.yieldNow
    rows = yield* waiting
  }
  return rows.map(({ locktype }) => locktype)
})

/** Locks the preset, begins two writes one after the other, and returns their outcomes. */
const meet = Effect.fnUntraced(function* <E extends { readonly reason: { readonly _tag: string } }>(
  first: Effect.Effect<unknown, E>,
  second: Effect.Effect<unknown, E>
) {
  const sql = yield* SqlClient.SqlClient
  const met = yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT 1 FROM verbatim_presets FOR UPDATE`
      // The fibers are detached, so that the writes are not part of this transaction.
      const one = yield* Effect.forkDetach(Effect.result(first))
      yield* untilBlocked(1)
      const other = yield* Effect.forkDetach(Effect.result(second))
      return { fibers: [one, other], locks: yield* untilBlocked(2) }
    })
  )
  const results = yield* Effect.forEach(met.fibers, (fiber) => Fiber.join(fiber))
  const reported = results.map((result) =>
    Result.isSuccess(result) ? "written" : result.failure.reason._tag
  )
  return { reported, locks: met.locks }
})

describe("concurrent writes to one preset on Postgres", () => {
  it.live("wait for each other if they use the same key, with or without a condition", () =>
    withWorkspace(function* () {
      const { append } = yield* PresetStore
      yield* append(makeDraft(1))
      const conditional = append(keyed(2, { condition: { match: "any" } }))
      const { locks, reported } = yield* meet(conditional, append(keyed(3)))
      assert.deepStrictEqual(reported, ["written", "KeyTaken"])
      assert.include(locks, "advisory")
    }).pipe(Effect.provide(onServer))
  )

  it.live("are checked against the earlier version if they use different keys", () =>
    withWorkspace(function* () {
      const { append } = yield* PresetStore
      const { version } = yield* append(makeDraft(1))
      const any = append(keyed(2, { condition: { match: "any" } }))
      const other = { ...under("order-2"), condition: { match: [version.id] } }
      const { reported } = yield* meet(any, append(keyed(3, other)))
      assert.deepStrictEqual(reported, ["written", "ConditionFailed"])
    }).pipe(Effect.provide(onServer))
  )
})

/** Appends the version with this number, under its own key. */
const appendUnder = (number: number) =>
  Effect.flatMap(PresetStore, ({ append }) => append(makeDraft(number, under(`order-${number}`))))

const sweep = Effect.gen(function* () {
  return yield* makeKeySweep(yield* SqlClient.SqlClient, yield* Statements).step
})

describe("the deletion of expired keys on Postgres", () => {
  it.live("deletes only expired keys, and skips one that is being replaced", () =>
    Effect.gen(function* () {
      const config = yield* newSchema
      yield* withWorkspace(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* Effect.forEach(upTo(12), appendUnder)
        const millis = Duration.toMillis(keyWindow)
        yield* sql`UPDATE verbatim_preset_keys SET at = at - ${millis} WHERE key <> 'order-2'`
        const other = yield* Effect.provide(
          SqlClient.SqlClient,
          yield* Layer.build(oneClient(config))
        )
        yield* other.withTransaction(
          Effect.andThen(
            other`SELECT 1 FROM verbatim_preset_keys WHERE key = 'order-1' FOR UPDATE`,
            sweep
          )
        )
        const left = yield* sql<{ readonly key: string }>`SELECT key FROM verbatim_preset_keys`
        assert.deepStrictEqual(left.map(({ key }) => key).sort(), ["order-1", "order-2"])
      }).pipe(Effect.provide(Layer.merge(layer(config), oneClient(config))))
    })
  )
})
