/**
 * Runs operator commands in this process instead of starting one for each. Program, arguments and
 * variables are the same. Tests with `operate` check that a separate process returns the same
 * output and status.
 */

import { format } from "node:util"
import { Cause, ConfigProvider, Console, Effect, Exit, Runtime } from "effect"
import { assert } from "vitest"
import { teardown } from "#src/command/Refusal"
import { run } from "#src/Program"
import { environment, type Settings } from "./ServerProcess.ts"

/** Creates a console that records its lines. */
const makeConsole = () => {
  const printed = { stdout: "", stderr: "" }
  const keep =
    (stream: keyof typeof printed) =>
    (...message: ReadonlyArray<unknown>) => {
      printed[stream] += `${format(...message)}\n`
    }
  const [output, errors] = [keep("stdout"), keep("stderr")]
  return {
    printed,
    console: { ...console, log: output, info: output, debug: output, warn: errors, error: errors }
  }
}

/**
 * Returns the failure that a separate process would print at its end, unless the command has
 * already printed it.
 */
const failuresOf = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.isFailure(exit) && Runtime.getErrorReported(Cause.squash(exit.cause))
    ? Cause.pretty(exit.cause)
    : ""

const statusOf = (exit: Exit.Exit<unknown, unknown>): Promise<number> =>
  new Promise((resolve) => teardown(exit, resolve))

/** Runs an operator command in a directory. */
export const operateInProcess = async (
  directory: string,
  args: ReadonlyArray<string>,
  settings: Settings = {}
) => {
  const { console, printed } = makeConsole()
  // The pretty format is not used, because it would write to the real standard error.
  const variables = { ...environment(directory, settings), VERBATIM_LOG_FORMAT: "logfmt" }
  const exit = await run(args).pipe(
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnv({ env: variables })
    ),
    Effect.provideService(Console.Console, console),
    Effect.runPromiseExit
  )
  return { ...printed, stderr: printed.stderr + failuresOf(exit), status: await statusOf(exit) }
}

/** An id that nothing has. */
export const anyId = "01900000-0000-7000-8000-000000000000"

/**
 * Returns functions that run commands in a directory, and that return their output, or the status
 * and message of a failure.
 */
export const makeRun = (directory: string, run: typeof operateInProcess = operateInProcess) => {
  const outputOf = async (...args: ReadonlyArray<string>) => {
    const { status, stderr, stdout } = await run(directory, args)
    assert.strictEqual(status, 0, `${args.join(" ")}: ${stderr}`)
    return stdout.trim()
  }
  const refused = async (...args: ReadonlyArray<string>) => {
    const { status, stderr, stdout } = await run(directory, args)
    assert.strictEqual(stdout, "")
    assert.notMatch(stderr, /\n\s+at /)
    return [status, stderr.trim().replace(/^ERROR\s+/, "")] as const
  }
  return { outputOf, refused }
}
