import { assert, describe, it } from "@effect/vitest"
import * as StoreClock from "@verbatim/core/worker/StoreClock"
import { Duration, Schema } from "effect"

const nanos = 1_000_000n
const wall = 1_700_000_000_000

/** A look whose answer takes so long; the store's clock is so far ahead of where it began. */
const lookAt = (millis: number, ahead = 0, travel = 2): StoreClock.Look => ({
  askedAt: BigInt(millis) * nanos,
  answeredAt: BigInt(millis + travel) * nanos,
  storeMillis: wall + millis + ahead + Math.floor(travel / 2)
})

const doubtAfter = (looks: ReadonlyArray<StoreClock.Look>): number => {
  const [start, ...later] = looks
  if (start === undefined) return 0
  const known = later.reduce(StoreClock.look, StoreClock.first(start, start.storeMillis))
  const last = later.at(-1) ?? start
  const left = known.doubtedUntil - last.answeredAt
  return left < 0n ? 0 : Number(left / nanos)
}

const Millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5_000 }))

describe("The store's clock", () => {
  it.prop(
    "is never doubted for answers that travel for long",
    [Schema.Array(Millis).check(Schema.isMinLength(1), Schema.isMaxLength(40))],
    ([travels]) => {
      let at = 0
      const looks = travels.map((travel) => {
        const look = lookAt(at, 0, travel)
        at += travel + 250
        return look
      })
      assert.strictEqual(doubtAfter(looks), 0)
    }
  )

  it("is doubted for as long as a step forward may hide, and no longer than 90 seconds", () => {
    const steady = [lookAt(0), lookAt(250), lookAt(500)]
    for (const step of [1_000, 20_000, 89_000]) {
      const doubt = doubtAfter([...steady, lookAt(750, step)])
      assert.isAtLeast(doubt, step)
      assert.isAtMost(doubt, step + 500)
    }
    assert.strictEqual(doubtAfter([...steady, lookAt(750, 600_000)]), 90_000)
  })

  it("is not doubted when it goes back, nor for drift within an hour", () => {
    assert.strictEqual(doubtAfter([lookAt(0), lookAt(250, -90_000)]), 0)
    // 500 parts in a million, as fast as NTP slews.
    const looks = Array.from({ length: 3_600 }, (_, second) => lookAt(second * 1_000, second / 2))
    const whole = looks.map((each) => ({ ...each, storeMillis: Math.floor(each.storeMillis) }))
    assert.strictEqual(doubtAfter(whole), 0)
  })

  it("is doubted at first where it is not that of this machine", () => {
    const look = lookAt(0)
    const known = StoreClock.first(look, look.storeMillis - 6_000)
    const end = look.answeredAt + Duration.toNanosUnsafe(StoreClock.doubtMax)
    assert.isTrue(StoreClock.isDoubted(known, look.answeredAt))
    assert.isFalse(StoreClock.isDoubted(known, end))
  })
})
