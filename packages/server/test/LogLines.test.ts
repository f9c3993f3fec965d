/** Tests which content log lines have, and when they are written. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Logger, Redacted } from "effect"
import { TestConsole } from "effect/testing"
import * as LogLines from "#src/Logging"

/** Runs an effect that logs, and returns the lines that are written during and after it. */
const writing = (effect: Effect.Effect<unknown>) =>
  Effect.gen(function* () {
    const written: Array<string> = []
    const { flush, logger } = LogLines.make({ write: (text) => written.push(text) })
    yield* Effect.provide(effect, Logger.layer([logger]))
    const atOnce = written.length
    flush()
    return { atOnce, written, lines: written.join("").split("\n").slice(0, -1) }
  })

describe("readable log lines", () => {
  const log = (stream: { readonly isTTY?: boolean }) =>
    Effect.gen(function* () {
      const failed = Effect.logWarning("not removed", new Error("the disk is full"))
      yield* Effect.annotateLogs(failed, { job: "1" }).pipe(
        Effect.provide(Logger.layer([LogLines.pretty(stream)]))
      )
      return (yield* TestConsole.errorLines).join("\n")
    })

  it.effect("contain the time, level, message, annotations and cause", () =>
    Effect.gen(function* () {
      const printed = yield* log({})
      const start = "1970-01-01T00:00:00.000Z WARN not removed\n  job: 1\n  "
      assert.strictEqual(printed.slice(0, start.length), start)
      assert.include(printed, "\n  Error: the disk is full\n")
    })
  )

  it.effect("erase a progress bar on a terminal", () =>
    Effect.gen(function* () {
      const printed = yield* log({ isTTY: true })
      assert.match(printed, /^\r\u001b\[2K1970\S+ \S*WARN\S* not removed/)
    })
  )
})

describe("JSON log lines", () => {
  it.effect("contain the annotations alongside the message, on one line", () =>
    Effect.gen(function* () {
      const said = Effect.logInfo("a\nb", { key: Redacted.make("secret") })
      const { atOnce, lines, written } = yield* writing(
        Effect.andThen(
          Effect.annotateLogs(said, { job: "1", status: 200 }),
          Effect.logError("broken", Cause.die(new Error("at the\nend")))
        ).pipe(Effect.andThen(Effect.logWarning("not removed", new Error("the disk is full"))))
      )
      assert.strictEqual(atOnce, 0)
      assert.lengthOf(written, 1)
      const [first, second, third] = lines.map((line) => JSON.parse(line))
      assert.deepInclude(first, { level: "INFO", job: "1", status: 200 })
      assert.strictEqual(first.message[0], "a\nb")
      assert.notInclude(lines[0] ?? "", "secret")
      assert.include(second.cause, "at the\nend")
      assert.strictEqual(third.message, "not removed")
      assert.include(third.cause, "the disk is full")
    })
  )

  it.effect("contain values as text if JSON cannot represent them", () =>
    Effect.gen(function* () {
      const cycle: Record<string, unknown> = { name: "ring" }
      cycle.self = cycle
      const { lines } = yield* writing(
        Effect.all([
          Effect.logInfo("before"),
          Effect.logWarning("a ring", cycle),
          Effect.annotateLogs(Effect.logInfo("large"), { bytes: 1n }),
          Effect.logInfo("after")
        ])
      )
      const entries = lines.map((line) => JSON.parse(line))
      assert.lengthOf(entries, 4)
      assert.deepInclude(entries[1], { level: "WARN" })
      assert.include(entries[1].message, "ring")
      assert.deepInclude(entries[2], { level: "INFO", message: "large", bytes: "1n" })
      assert.strictEqual(entries[3].message, "after")
    })
  )

  it.effect("contain values as they were at the time of logging", () =>
    Effect.gen(function* () {
      const state = { at: "first" }
      const { lines } = yield* writing(
        Effect.andThen(
          Effect.annotateLogs(Effect.logInfo("noted"), { state }),
          Effect.andThen(
            Effect.logInfo(state),
            Effect.sync(() => {
              state.at = "later"
            })
          )
        )
      )
      const [noted, said] = lines.map((line) => JSON.parse(line))
      assert.deepStrictEqual(noted.state, { at: "first" })
      assert.deepStrictEqual(said.message, { at: "first" })
    })
  )
})
