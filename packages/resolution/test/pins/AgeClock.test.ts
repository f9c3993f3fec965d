import { assert, describe, it } from "vitest"
import { makeForwardClock } from "#src/pins/Pin"

/**
 * Advances the machine's monotonic and wall clocks in steps, and returns how many milliseconds the
 * tested clock advances in each step.
 */
const passed = (steps: ReadonlyArray<readonly [monotonic: number, wall: number]>) => {
  let [monotonicMillis, wallMillis] = [0, 1_700_000_000_000]
  const now = makeForwardClock(() => ({ monotonicMillis, wallMillis }))
  let last = now().forwardMillis
  return steps.map(([monotonic, wall]) => {
    monotonicMillis += monotonic
    wallMillis += wall
    const { forwardMillis } = now()
    const between = forwardMillis - last
    last = forwardMillis
    return between
  })
}

describe("makeForwardClock", () => {
  it("follows the monotonic clock while the wall clock agrees with it, apart from rounding", () => {
    const steps = Array.from({ length: 100 }, (_, index) => [0.5, index % 2] as const)
    const sum = passed(steps).reduce((one, other) => one + other, 0)
    assert.isAtLeast(sum, 50)
    assert.isAtMost(sum, 52)
  })

  it("counts a sleep that the monotonic clock missed, even if the wall clock is set back", () => {
    assert.deepStrictEqual(passed([[10, 60_010]]), [60_010])
    assert.deepStrictEqual(
      passed([
        [10, -3_600_000],
        [10, 60_010]
      ]),
      [10, 60_010]
    )
  })

  it("never goes back, and counts a jump of the wall clock as a sleep", () => {
    assert.deepStrictEqual(
      passed([
        [10, -5_000],
        [10, 5_010]
      ]),
      [10, 5_010]
    )
  })
})
