import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Option, Redacted } from "effect"
import { warnAboutOpenMetrics } from "#src/Configuration"

const token = Option.some(Redacted.make("a-token-of-the-tests-0123456789"))

const countLines = Effect.fnUntraced(function* (...given: Parameters<typeof warnAboutOpenMetrics>) {
  let count = 0
  const logger = Logger.make(() => {
    count += 1
  })
  yield* Effect.provide(warnAboutOpenMetrics(...given), Logger.layer([logger]))
  return count
})

describe("metrics without a token", () => {
  it.effect("cause a warning only if other machines can read the metrics", () =>
    Effect.gen(function* () {
      const open = { isOn: true, token: Option.none() }
      for (const host of ["0.0.0.0", "::", "10.0.0.7", "verbatim.example"]) {
        assert.strictEqual(yield* countLines(open, host), 1)
        assert.strictEqual(yield* countLines({ isOn: true, token }, host), 0)
        assert.strictEqual(yield* countLines({ ...open, isOn: false }, host), 0)
      }
      for (const host of ["127.0.0.1", "127.0.0.2", "localhost", "::1"]) {
        assert.strictEqual(yield* countLines(open, host), 0)
      }
    })
  )
})
