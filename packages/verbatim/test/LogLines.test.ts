/** Lines of JSON: what is in one, and when they are written. */
import { assert, describe, it } from "@effect/vitest"
import { upTo } from "@verbatim/testkit/samples"
import { Cause, Effect, Logger, Redacted } from "effect"
import * as LogLines from "#src/LogLines"

/** Logs in one turn of the event loop, and gives what was written in it and after it. */
const writing = (effect: Effect.Effect<unknown>) =>
  Effect.gen(function* () {
    const written: Array<string> = []
    const { flush, logger } = LogLines.make({ write: (text) => written.push(text) })
    yield* Effect.provide(effect, Logger.layer([logger]))
    const atOnce = written.length
    flush()
    return { atOnce, written, lines: written.join("").split("\n").slice(0, -1) }
  })

describe("lines of JSON", () => {
  it.effect("have what was noted beside what was said, and one line each", () =>
    Effect.gen(function* () {
      const said = Effect.logInfo("a\nb", { key: Redacted.make("secret") })
      const { atOnce, lines, written } = yield* writing(
        Effect.andThen(
          Effect.annotateLogs(said, { job: "1", status: 200 }),
          Effect.logError("broken", Cause.die(new Error("at the\nend")))
        )
      )
      assert.strictEqual(atOnce, 0)
      assert.lengthOf(written, 1)
      const [first, second] = lines.map((line) => JSON.parse(line))
      assert.deepInclude(first, { level: "INFO", job: "1", status: 200 })
      assert.strictEqual(first.message[0], "a\nb")
      assert.notInclude(lines[0] ?? "", "secret")
      assert.include(second.cause, "at the\nend")
    })
  )

  it.effect("are written of what JSON has no form for, too", () =>
    Effect.gen(function* () {
      const circle: Record<string, unknown> = { name: "socket" }
      circle.self = circle
      const said = Effect.logWarning("lost", { circle, count: 1n })
      const { lines } = yield* writing(Effect.annotateLogs(said, { circle, count: 2n }))
      const [line] = lines.map((text) => JSON.parse(text))
      assert.deepInclude(line, { level: "WARN" })
      assert.strictEqual(line.message[0], "lost")
      assert.strictEqual(line.message[1].circle.name, "socket")
    })
  )

  it.effect("are written before they are too many", () =>
    Effect.gen(function* () {
      const many = Effect.forEach(upTo(2_500), () => Effect.logInfo("again"), { discard: true })
      const { lines, written } = yield* writing(many)
      assert.lengthOf(lines, 2_500)
      assert.isTrue(written.every((text) => text.split("\n").length <= 1_001))
    })
  )
})
