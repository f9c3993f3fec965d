/**
 * Tests requests that can only succeed as retries, because their callers may not create another
 * job.
 */
import { assert, describe, it } from "@effect/vitest"
import { upTo } from "@verbatim/testkit/samples"
import { Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { JobId } from "#src/domain/attempt/Attempt"
import type { IdempotencyKey } from "#src/domain/idempotency/IdempotencyKey"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { JobStore } from "#src/ports/JobStore"
import { ApiKeys } from "#src/services/workspaces/ApiKeys"
import { Workspaces } from "#src/services/workspaces/Workspaces"
import { caller, stored } from "../../world/caller.ts"
import { replace } from "../../world/ports.ts"
import { front, outside } from "../../world/world.ts"
import { another, call, callUnread, makeSlow, run, short, spend } from "./RepeatWorld.ts"

describe("a caller that may not create another job", () => {
  it.effect(
    "is refused without reading its request if its key created no job in the last day",
    () =>
      run(
        Effect.fnUntraced(function* () {
          const principal = yield* caller
          const other = yield* another(principal)
          const refuseUnread = (by: Principal) =>
            Effect.map(Effect.flip(callUnread(by)), ({ _tag }) =>
              assert.strictEqual(_tag, "InsufficientBalance")
            )
          yield* call(principal, short(1))
          yield* spend(principal)
          yield* refuseUnread(other)
          yield* TestClock.adjust("24 hours")
          yield* TestClock.adjust("1 millis")
          yield* refuseUnread(principal)
        })
      )
  )

  it.effect("joins its own jobs without storing anything", () =>
    run(
      Effect.fnUntraced(function* (counts) {
        const principal = yield* caller
        const first = yield* call(principal, short(1), { language: "en" })
        yield* spend(principal)
        const before = counts.bytes
        const again = yield* call(principal, short(1), { language: "en" })
        assert.strictEqual(again.id, first.id)
        const others = [call(principal, short(9), { language: "en" }), call(principal, short(1))]
        for (const other of others) {
          assert.strictEqual((yield* Effect.flip(other))._tag, "InsufficientBalance")
        }
        assert.strictEqual(counts.bytes, before)
        assert.lengthOf(yield* stored, 1)
      })
    )
  )

  it.effect("stores nothing when it repeats a request with a known key", () =>
    run(
      Effect.fnUntraced(function* (counts) {
        const principal = yield* caller
        const first = yield* call(principal, short(1), { idempotencyKey: "order-1" })
        yield* spend(principal)
        const before = counts.bytes
        const again = yield* call(principal, short(1), { idempotencyKey: "order-1" })
        assert.strictEqual(again.id, first.id)
        const other = call(principal, short(2), { idempotencyKey: "order-1" })
        assert.strictEqual((yield* Effect.flip(other))._tag, "IdempotencyConflict")
        assert.strictEqual(counts.bytes, before)
      })
    )
  )

  it.effect(
    "joins a running job even if an earlier job for the same file is more than a day old",
    () =>
      run(
        Effect.fnUntraced(function* () {
          const principal = yield* caller
          const jobs = yield* JobStore
          const deleted = yield* call(principal, short(1))
          yield* jobs.remove(principal.workspaceId, JobId.make(deleted.id))
          yield* TestClock.adjust("23 hours")
          const { id } = yield* call(principal, short(1))
          yield* TestClock.adjust("90 minutes")
          assert.strictEqual((yield* call(principal, short(1))).id, id)
          // By now, the running job is more than a day old too.
          yield* TestClock.adjust("23 hours")
          assert.notStrictEqual((yield* call(principal, short(1))).id, id)
        })
      )
  )

  it.effect("does not join another caller's job that has the derived key", () => {
    const keys: Array<IdempotencyKey> = []
    const noting = replace(JobStore, (jobs) => ({
      insert: (creation) => {
        if (Option.isSome(creation.idempotency)) keys.push(creation.idempotency.value.key)
        return jobs.insert(creation)
      }
    }))
    const layer = front.pipe(Layer.provideMerge(noting), Layer.provideMerge(outside))
    return Effect.gen(function* () {
      const principal = yield* caller
      const other = yield* another(principal)
      yield* call(principal, short(1))
      yield* TestClock.adjust("24 hours")
      const [idempotencyKey = ""] = keys
      const { id } = yield* call(other, short(9), { idempotencyKey })
      const own = yield* call(principal, short(1))
      assert.notStrictEqual(own.id, id)
      assert.strictEqual((yield* call(principal, short(1))).id, own.id)
    }).pipe(Effect.provide(layer))
  })
})

const keyed = { idempotencyKey: "order-1" }

/** A caller in another workspace. */
const stranger = Effect.gen(function* () {
  const [keys, workspaces] = [yield* ApiKeys, yield* Workspaces]
  const { id } = yield* workspaces.create({ name: "Other" })
  yield* workspaces.credit(id, { minutes: 600 })
  const { token } = yield* keys.issue(id, { kind: "inference", token: Option.none() })
  return yield* keys.authenticate(token)
})

describe("a caller that reuses a key and has no balance", () => {
  it.effect("can have at most two files read at a time, and does not delay other workspaces", () =>
    run(
      Effect.fnUntraced(function* () {
        const [poor, other] = [yield* caller, yield* stranger]
        const first = yield* call(poor, short(1), keyed)
        const others = yield* call(other, short(2), keyed)
        yield* spend(poor)
        yield* spend(other)
        const { content, counts: read, end } = yield* makeSlow
        const waiting = yield* Effect.forEach(upTo(100), (number) => {
          // Every other call has no key and gets a derived one.
          const repeat = call(poor, content, number % 2 === 0 ? {} : keyed)
          return Effect.forkChild(Effect.flip(repeat), { startImmediately: true })
        })
        assert.strictEqual(read.begun, 2)
        // Another workspace has its own slots, so its call succeeds although the clock does not
        // advance.
        assert.strictEqual((yield* call(other, short(2), keyed)).id, others.id)
        yield* TestClock.adjust("20 seconds")
        yield* end
        const ended = yield* Effect.forEach(waiting, Fiber.join)
        const count = (tag: string) => ended.filter(({ _tag }) => _tag === tag).length
        assert.deepStrictEqual([count("IdempotencyConflict"), count("InsufficientBalance")], [1, 1])
        assert.strictEqual(count("TooManyRepeats"), 98)
        // The slots are free again.
        assert.strictEqual((yield* call(poor, short(1), keyed)).id, first.id)
      })
    )
  )
})

describe("a caller that reuses a key and has a balance", () => {
  it.effect("can have eight files read at once", () =>
    run(
      Effect.fnUntraced(function* () {
        const payer = yield* caller
        yield* call(payer, short(1), keyed)
        const { content, counts: read, end } = yield* makeSlow
        const repeating = yield* Effect.forEach(upTo(8), () =>
          Effect.forkChild(Effect.flip(call(payer, content, keyed)), { startImmediately: true })
        )
        assert.strictEqual(read.begun, 8)
        yield* end
        yield* Effect.forEach(repeating, Fiber.join)
      })
    )
  )
})
