/** Tests how long an idempotency key is valid, even if clocks differ. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Schema } from "effect"
import { isCurrentKey, keyWindow } from "#src/domain/idempotency/IdempotencyKey"

const at = (millis: number) => DateTime.makeUnsafe(millis)

const dayMillis = Duration.toMillis(keyWindow)

const between = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** Timestamps between the years 1970 and 2400. */
const instants = between(0, 13_569_465_600_000)

/** Clock errors of up to three days. */
const errors = between(-3 * dayMillis, 3 * dayMillis)

describe("an idempotency key", () => {
  it("is valid for a day", () => {
    const now = 5 * dayMillis
    assert.deepStrictEqual(
      [now - dayMillis, now - dayMillis + 1, now].map((each) => isCurrentKey(at(each), at(now))),
      [false, true, true]
    )
  })

  it.prop(
    "is invalid for a process if its clock differs by a day or more",
    [instants, errors],
    ([taken, error]) => {
      assert.strictEqual(isCurrentKey(at(taken), at(taken + error)), Math.abs(error) < dayMillis)
    }
  )
})
