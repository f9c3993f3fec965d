/**
 * Commands of the operator in this process: the same program, read from the same arguments and
 * variables, without the start of a process for each. What it prints and the status that it asks
 * for are looked at here; that they reach whoever started a process is for `operate` to show.
 */
import { format } from "node:util"
import { Cause, ConfigProvider, Console, Effect, Exit, Runtime } from "effect"
import { teardown } from "#src/command/Refusal"
import { run } from "#src/Program"
import { environment, type Settings } from "./ServerProcess.ts"

/** A console that keeps what it is told, line by line. */
const makeConsole = () => {
  const told = { stdout: "", stderr: "" }
  const keep =
    (stream: keyof typeof told) =>
    (...message: ReadonlyArray<unknown>) => {
      told[stream] += `${format(...message)}\n`
    }
  const [output, errors] = [keep("stdout"), keep("stderr")]
  return {
    told,
    console: { ...console, log: output, info: output, debug: output, warn: errors, error: errors }
  }
}

/** What the start of a process would report: failures that no command has told already. */
const untold = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.isFailure(exit) && Runtime.getErrorReported(Cause.squash(exit.cause))
    ? Cause.pretty(exit.cause)
    : ""

const statusOf = (exit: Exit.Exit<unknown, unknown>): Promise<number> =>
  new Promise((resolve) => teardown(exit, resolve))

/** Runs a command of the operator against a directory, to its end. */
export const operateInProcess = async (
  directory: string,
  args: ReadonlyArray<string>,
  settings: Settings = {}
) => {
  const { console, told } = makeConsole()
  // The lines of a process go to its own error output, whoever else there is.
  const variables = { ...environment(directory, settings), VERBATIM_LOG_FORMAT: "logfmt" }
  const exit = await run(args).pipe(
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnv({ env: variables })
    ),
    Effect.provideService(Console.Console, console),
    Effect.runPromiseExit
  )
  return { ...told, stderr: told.stderr + untold(exit), status: await statusOf(exit) }
}
