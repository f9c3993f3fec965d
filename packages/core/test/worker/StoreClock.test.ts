/** A jump of the store's clock never makes a webhook early. */
import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import * as fc from "fast-check"
import * as StoreClock from "#src/worker/StoreClock"

const nanosPerMilli = 1_000_000n

/** Reads a store's clock that is `ahead` of this process by that many milliseconds. */
const lookAt = (millis: number, { ahead = 0, tripMillis = 0 } = {}): StoreClock.ClockReading => ({
  sentAt: BigInt(millis) * nanosPerMilli,
  answeredAt: BigInt(millis + tripMillis) * nanosPerMilli,
  storeMillis: millis + ahead
})

const isDoubted = (clock: StoreClock.StoreClock, millis: number) =>
  StoreClock.isDoubted(clock, BigInt(millis) * nanosPerMilli)

const start = StoreClock.first(lookAt(0), 0)
const doubtMillis = Duration.toMillis(StoreClock.doubtMax)

describe("The store's clock", () => {
  it("is trusted while it is steady, even if responses are slow", () => {
    const slow = StoreClock.update(start, lookAt(1_000, { tripMillis: 4_000 }))
    assert.isFalse(isDoubted(StoreClock.update(slow, lookAt(60_000)), 60_000))
  })

  it("is still trusted after it is set back", () => {
    assert.isFalse(isDoubted(StoreClock.update(start, lookAt(1_000, { ahead: -90_000 })), 1_000))
  })

  it("is doubted after it is set back and then forward again", () => {
    const back = StoreClock.update(start, lookAt(1_000, { ahead: -50_000 }))
    assert.isTrue(isDoubted(StoreClock.update(back, lookAt(2_000)), 2_001))
  })

  it("is doubted at first if it differs from the process's wall clock", () => {
    assert.isTrue(isDoubted(StoreClock.first(lookAt(0), 20_000), doubtMillis - 1))
    assert.isFalse(isDoubted(StoreClock.first(lookAt(0), 2_000), 0))
  })

  it("is doubted after a jump forward, until all work from before the jump is due", () => {
    const step = fc.integer({ min: 1_000, max: 90_000 })
    const delay = fc.integer({ min: 1, max: doubtMillis })
    fc.assert(
      fc.property(step, delay, (ahead, left) => {
        const clock = StoreClock.update(start, lookAt(5_000, { ahead }))
        assert.isTrue(isDoubted(clock, 5_000 + left - 1))
        assert.isFalse(isDoubted(clock, 5_000 + doubtMillis))
      })
    )
  })
})
