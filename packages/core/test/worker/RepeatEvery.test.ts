/** Work that runs at an interval starts on time, whatever the wall clock shows. */
import { assert, it } from "@effect/vitest"
import { Clock, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { repeatEvery } from "#src/worker/Leases"

const beat = repeatEvery(Duration.seconds(10))

/** The seconds within a minute at which runs start, if each run takes the given time. */
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

it.effect("An interval continues while the wall clock runs backwards", () =>
  Effect.gen(function* () {
    const known = yield* Clock.Clock
    const wall = () => -1.5 * Number(known.monotonicTimeNanosUnsafe() / 1_000_000n)
    const clock = { currentTimeMillisUnsafe: wall, currentTimeMillis: Effect.sync(wall) }
    assert.deepStrictEqual(yield* begunIn(1, clock), [0, 10, 20, 30, 40, 50, 60])
  })
)

it.effect("An interval restarts immediately after a run that took longer than the interval", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* begunIn(25, {}), [0, 25, 50])
  })
)
