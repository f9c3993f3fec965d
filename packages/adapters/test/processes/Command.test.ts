import { env } from "node:process"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Command } from "@verbatim/adapters/processes"
import { Duration, Effect } from "effect"

const shell = (script: string, limits: Partial<Command.Command> = {}) =>
  Effect.provide(
    Command.run({
      program: "sh",
      arguments: ["-c", script],
      environment: env,
      timeout: Duration.seconds(10),
      outputByteMax: 100,
      ...limits
    }),
    nodeServices
  )

const reason = <A, R>(running: Effect.Effect<A, Command.CommandError, R>) =>
  Effect.map(Effect.flip(running), (error) => error.reason._tag)

describe("Command", () => {
  it.live("returns the output, the exit code and the end of the error output", () =>
    Effect.gen(function* () {
      const ended = yield* shell("printf 'é'; printf 'first\\nlast' >&2; exit 3")
      assert.deepStrictEqual(ended, { exitCode: 3, output: "é", errorOutput: "first\nlast" })
    })
  )

  it.live("keeps only the end of long error output", () =>
    Effect.gen(function* () {
      const ended = yield* shell("head -c 1000000 /dev/zero | tr '\\0' x >&2; printf end >&2")
      assert.isBelow(ended.errorOutput.length, 10_000)
      assert.isTrue(ended.errorOutput.endsWith("xend"))
    })
  )

  it.live("distinguishes a missing program from a killed program", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reason(shell("", { program: "no-such-program" })), "Missing")
      assert.strictEqual(yield* reason(shell("kill -9 $$")), "Broken")
    })
  )

  it.live("kills a program that writes more than the limit", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reason(shell("yes")), "Verbose")
    })
  )

  it.live("kills a program that takes too long, even if the program ignores the signal", () =>
    Effect.gen(function* () {
      const timeout = Duration.millis(100)
      assert.strictEqual(yield* reason(shell("sleep 60", { timeout })), "Slow")
      assert.strictEqual(yield* reason(shell("trap '' TERM; sleep 60", { timeout })), "Slow")
    })
  )

  it("turns any text into one printable line", () => {
    assert.strictEqual(Command.printable(" a\u0000b\n\u202ec\ud800 "), "a b c\ufffd")
    assert.strictEqual(Command.printable("😀".repeat(300)).length, 300)
  })
})
