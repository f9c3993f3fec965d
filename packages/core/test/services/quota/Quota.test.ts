/** Partitions take turns in a pool of permits, and each has a maximum share. */
import { assert, it } from "@effect/vitest"
import { upTo } from "@verbatim/testkit/samples"
import { Effect, Fiber, Scope } from "effect"
import { make, type Quota } from "#src/services/quota/Quota"

/** Takes permits until the scope is closed, and records when they were granted. */
const takeFrom = Effect.fnUntraced(function* (room: Quota, permits: number, partition = "one") {
  const scope = yield* Scope.make()
  const state = { hasRoom: false }
  const waiting = yield* room.hold(partition, permits).pipe(
    Effect.tap(() =>
      Effect.sync(() => {
        state.hasRoom = true
      })
    ),
    Scope.provide(scope),
    Effect.forkChild({ startImmediately: true })
  )
  return { state, waiting, leave: Scope.close(scope, yield* Effect.exit(Effect.void)) }
})

it.effect(
  "A request for many permits is not overtaken by small requests in a nearly full pool",
  () =>
    Effect.gen(function* () {
      const room = make({ share: 10, total: 10 })
      const held = yield* Effect.forEach(upTo(10), () => takeFrom(room, 1))
      const large = yield* takeFrom(room, 8)
      const flow = yield* Effect.forEach(upTo(20), () => takeFrom(room, 1))
      for (const [index, { leave }] of held.entries()) {
        yield* leave
        yield* Effect.yieldNow
        assert.strictEqual(large.state.hasRoom, index >= 7, `${index}`)
      }
      // Later requests get the remaining permits.
      yield* Effect.yieldNow
      assert.strictEqual(flow.filter(({ state }) => state.hasRoom).length, 2)
      yield* large.leave
      yield* Fiber.join(flow[9]?.waiting ?? large.waiting)
      assert.strictEqual(flow.filter(({ state }) => state.hasRoom).length, 10)
    })
)

it.effect("A caller that stops waiting neither delays others nor keeps permits", () =>
  Effect.gen(function* () {
    const room = make({ share: 10, total: 10 })
    const held = yield* takeFrom(room, 10)
    const large = yield* takeFrom(room, 8)
    const small = yield* takeFrom(room, 1)
    yield* Fiber.interrupt(large.waiting)
    yield* large.leave
    yield* held.leave
    yield* Fiber.join(small.waiting)
    const rest = yield* takeFrom(room, 9)
    yield* Fiber.join(rest.waiting)
    assert.isTrue(small.state.hasRoom && rest.state.hasRoom)
  })
)

it.effect("A partition waits for its own share, and takes turns with others in the pool", () =>
  Effect.gen(function* () {
    const room = make({ share: 2, total: 3 })
    const mine = yield* Effect.forEach(upTo(5), () => takeFrom(room, 1, "mine"))
    const others = yield* Effect.forEach(upTo(3), () => takeFrom(room, 1, "others"))
    const countOf = (all: typeof mine) => all.filter(({ state }) => state.hasRoom).length
    assert.deepStrictEqual([countOf(mine), countOf(others)], [2, 1])
    yield* mine[0]?.leave ?? Effect.void
    yield* Effect.yieldNow
    yield* mine[1]?.leave ?? Effect.void
    yield* Effect.yieldNow
    // Each partition gets one of the freed permits: the other partition does not wait for `mine`.
    assert.deepStrictEqual([countOf(mine), countOf(others)], [3, 2])
  })
)
