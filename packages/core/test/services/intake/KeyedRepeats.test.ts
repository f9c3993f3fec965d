/**
 * Tests how many retries with known idempotency keys are read at a time, and which callers they
 * delay.
 */
import { assert, describe, it } from "@effect/vitest"
import { upTo } from "@verbatim/testkit/samples"
import { Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { ApiKeys } from "#src/services/workspaces/ApiKeys"
import { Workspaces } from "#src/services/workspaces/Workspaces"
import { caller } from "../../world/caller.ts"
import { call, makeSlow, run, short, spend } from "./RepeatWorld.ts"

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
