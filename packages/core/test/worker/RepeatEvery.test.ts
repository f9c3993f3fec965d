/** Repeated work starts on time, whatever the wall clock shows. */
import { assert, it } from "@effect/vitest"
import { Clock, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { repeatEvery } from "#src/worker/Leases"

const beat = repeatEvery(Duration.seconds(10))

/** Returns the seconds at which runs start within a minute, if each takes this long. */
const begunIn = Effect.fnUntraced(function* (seconds: number, clock: Partial<Clock.Clock>) {
  const known = yield* Clock.Clock
  const second = () => Number(known.monotonicTimeNanosUnsafe() / 1_000_000_000n)
  const first = second()
  const begun: Array<number> = []
  const work = Effect.suspend(() => {
    begun.push(second() - first)
    return Effect.sleep(Duration.seconds(seconds))
  })
  yield* Effect.forkChild(Effect.provideService(beat(work), Clock.Clock, { ...known, ...clock }))
  for (let passed = 0; passed < 60; passed += 1) yield* TestClock.adjust("1 second")
  return begun
})

it.effect("repeatEvery keeps its interval while the wall clock runs backwards", () =>
  Effect.gen(function* () {
    const known = yield* Clock.Clock
    const wall = () => -1.5 * Number(known.monotonicTimeNanosUnsafe() / 1_000_000n)
    const clock = { currentTimeMillisUnsafe: wall, currentTimeMillis: Effect.sync(wall) }
    assert.deepStrictEqual(yield* begunIn(1, clock), [0, 10, 20, 30, 40, 50, 60])
  })
)

it.effect("repeatEvery starts again immediately if a run took longer than the interval", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* begunIn(25, {}), [0, 25, 50])
  })
)
