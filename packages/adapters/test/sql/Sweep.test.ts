/** Tests that sweeps run step by step while there is something to delete, and otherwise rarely. */
import { assert, describe, it } from "@effect/vitest"
import { upTo } from "@verbatim/testkit/samples"
import { Clock, Effect, Logger } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { sweepForever } from "#src/sql/row/Sweep"

const broken = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({ cause: "away" })
})

/**
 * Runs a sweep in which the steps find these numbers of rows, and then none. Returns when each step
 * starts, in milliseconds.
 */
const stepsOf = Effect.fnUntraced(function* (found: ReadonlyArray<number | "broken">) {
  const remaining = [...found]
  const begun: Array<number> = []
  const step = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    begun.push(now)
    const next = remaining.shift() ?? 0
    return next === "broken" ? Effect.fail(broken) : Effect.succeed(next)
  })
  yield* Effect.forkScoped(sweepForever({ what: "Samples", step, stepMax: 3 }))
  yield* TestClock.adjust("14 minutes")
  return begun
})

const minute = 60_000

describe("A sweep", () => {
  it.effect("pauses between full steps, and runs again a minute later", () =>
    Effect.gen(function* () {
      const begun = yield* stepsOf([3, 3, 2, 1])
      const [first, last] = [minute, minute + 100]
      assert.deepStrictEqual(begun, [
        first,
        first + 50,
        last,
        last + minute,
        last + 2 * minute,
        last + 12 * minute
      ])
    })
  )

  it.effect("runs every ten minutes while there is nothing to delete", () =>
    Effect.map(stepsOf([]), (begun) => assert.deepStrictEqual(begun, [minute, 11 * minute]))
  )

  it.effect("runs again a minute after a failed step", () =>
    Effect.map(stepsOf([3, "broken", "broken"]), (begun) =>
      assert.deepStrictEqual(begun, [
        minute,
        minute + 50,
        2 * minute + 50,
        3 * minute + 50,
        13 * minute + 50
      ])
    )
  )

  it.effect("warns the operator once, after five failures in a row", () => {
    const levels: Array<string> = []
    const logger = Logger.make(({ logLevel }) => void levels.push(logLevel))
    const steps = (failures: number) => upTo(failures).map(() => "broken" as const)
    return Effect.gen(function* () {
      yield* stepsOf([...steps(4), 1, ...steps(4)])
      assert.notInclude(levels, "Warn")
      yield* stepsOf(steps(9))
      assert.lengthOf(
        levels.filter((level) => level === "Warn"),
        1
      )
    }).pipe(Effect.provide(Logger.layer([logger])))
  })
})
