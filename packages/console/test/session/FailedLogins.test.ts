import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { makeTellFailure } from "#src/SessionRoutes"

describe("failed logins", () => {
  it.effect("are logged once a minute, with their number", () => {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => {
      lines.push(String(message))
    })
    return Effect.gen(function* () {
      const tell = makeTellFailure()
      for (let count = 0; count < 3_000; count += 1) yield* tell
      assert.deepStrictEqual(lines, ["A login to the console failed: the key is unknown"])
      yield* TestClock.adjust("1 minute")
      yield* tell
      assert.strictEqual(lines[1], "3000 logins to the console failed: the key is unknown")
      assert.lengthOf(lines, 2)
    }).pipe(Effect.provide(Logger.layer([logger])))
  })
})
