/** An outage causes only a few log lines, however many calls fail. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Logger, Schema } from "effect"
import { TestClock } from "effect/testing"
import { makeOutageLog, reasonOf } from "#src/services/OutageLog"

const words = { failing: "The queue cannot be read", working: "The queue can be read" }

const logging = () => {
  const lines: Array<string> = []
  return { lines, layer: Logger.layer([Logger.make(({ message }) => lines.push(`${message}`))]) }
}

describe("An outage log", () => {
  it.effect.prop(
    "writes at most one line at the start of an outage, one a minute, and one at the end",
    {
      pauses: Schema.NonEmptyArray(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 90 })))
    },
    ({ pauses }) => {
      const { layer, lines } = logging()
      return Effect.gen(function* () {
        const log = yield* makeOutageLog(words)
        let passed = 0
        for (const pause of pauses) {
          yield* log.failed("503")
          yield* TestClock.adjust(`${pause} seconds`)
          passed += pause
        }
        assert.isAtMost(lines.length, 1 + Math.floor(passed / 60))
        assert.strictEqual(lines[0], "The queue cannot be read: 503")
        const before = lines.length
        yield* log.worked
        yield* log.worked
        assert.lengthOf(lines, before + 1)
      }).pipe(Effect.provide(layer))
    }
  )

  it.effect("writes only two lines if another log reports the same outage", () => {
    const { layer, lines } = logging()
    return Effect.gen(function* () {
      const log = yield* makeOutageLog({ ...words, reminds: false })
      for (let second = 0; second < 300; second += 1) {
        yield* log.failed("503")
        yield* TestClock.adjust("1 second")
      }
      yield* log.worked
      assert.deepStrictEqual(lines, [
        "The queue cannot be read: 503",
        "The queue can be read again after 5m"
      ])
    }).pipe(Effect.provide(layer))
  })

  it("describes the innermost cause without a stack trace", () => {
    const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" })
    const failure = new Error("The queue failed", { cause: new Error("sql", { cause: refused }) })
    assert.strictEqual(reasonOf(Cause.fail(failure)), "connection refused")
    assert.strictEqual(reasonOf(Cause.fail(new Error("disk\nis full"))), "disk is full")
    assert.strictEqual(reasonOf(Cause.die("odd")), "odd")
    const loop: { cause?: unknown } = {}
    loop.cause = loop
    assert.strictEqual(reasonOf(Cause.die(loop)), "")
  })
})
