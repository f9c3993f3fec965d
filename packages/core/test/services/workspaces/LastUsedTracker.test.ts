import { assert, describe, it } from "@effect/vitest"
import { instant, upTo } from "@verbatim/testkit/samples"
import { DateTime, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import type { ApiKeyId } from "#src/domain/workspace/ApiKey"
import { WorkspaceStoreError } from "#src/ports/WorkspaceStore"
import { ApiKeys, LastUsedTracker } from "#src/services/workspaces/ApiKeys"
import { OperatorKeys } from "#src/services/workspaces/OperatorKeys"
import { deployment, Interference, issued, made } from "./WorkspaceDeployment.ts"

const world = Layer.provideMerge(LastUsedTracker.layer, deployment)

const founded = Effect.gen(function* () {
  const interference = yield* Interference
  const { id } = yield* made("one")
  const { key } = yield* issued(id)
  const uses = yield* LastUsedTracker
  const writes = { count: 0 }
  interference.beforeNote = Effect.sync(() => {
    writes.count += 1
  })
  /** Uses a key, and waits until its use is recorded in the background. */
  const use = (keyId: ApiKeyId) => Effect.andThen(uses.note(keyId), TestClock.adjust(0))
  const lastUse = Effect.map(
    Effect.flatMap(ApiKeys, (keys) => keys.keys(id)),
    ([first]) => first?.lastUsedAt
  )
  return { id, interference, key, lastUse, writes, use, uses }
})

describe("the last use of a key", () => {
  it.effect("is stored once an hour, however often the key is used", () =>
    Effect.gen(function* () {
      const { key, lastUse, writes, use } = yield* founded
      yield* Effect.forEach(upTo(5), () => use(key.id))
      assert.deepStrictEqual(yield* lastUse, instant)
      yield* TestClock.adjust(60 * 60_000 - 1)
      yield* use(key.id)
      assert.deepStrictEqual([yield* lastUse, writes.count], [instant, 1])
      yield* TestClock.adjust(1)
      yield* use(key.id)
      assert.deepStrictEqual(yield* lastUse, DateTime.add(instant, { hours: 1 }))
      assert.strictEqual(writes.count, 2)
    }).pipe(Effect.provide(world))
  )

  it.effect("is stored by a later use if the store fails, and no caller's request fails", () =>
    Effect.gen(function* () {
      const { interference, key, lastUse, use } = yield* founded
      const recovered = interference.beforeNote
      interference.beforeNote = Effect.fail(
        new WorkspaceStoreError({ operation: "noteUse", cause: "it is down" })
      )
      yield* use(key.id)
      assert.isNull(yield* lastUse)
      interference.beforeNote = recovered
      yield* use(key.id)
      assert.deepStrictEqual(yield* lastUse, instant)
    }).pipe(Effect.provide(world))
  )

  it.effect("delays no caller if the store hangs, and causes only a few concurrent writes", () =>
    Effect.gen(function* () {
      const { id, interference, key, writes, use } = yield* founded
      const others = yield* Effect.forEach(upTo(4), () => issued(id))
      interference.beforeNote = Effect.andThen(interference.beforeNote, Effect.never)
      // The test clock does not advance, so a call that waited for the store would never return.
      for (const each of [key, ...others.map((other) => other.key)]) yield* use(each.id)
      assert.strictEqual(writes.count, 2)
    }).pipe(Effect.provide(world))
  )

  it.effect("is also stored for operator keys", () =>
    Effect.gen(function* () {
      const { uses } = yield* founded
      const operators = yield* OperatorKeys
      const { key } = yield* operators.issue({ token: Option.none() })
      yield* Effect.andThen(uses.noteOperator(key.id), TestClock.adjust(0))
      assert.deepStrictEqual(yield* operators.keys, [{ ...key, lastUsedAt: instant }])
    }).pipe(Effect.provide(world))
  )
})
