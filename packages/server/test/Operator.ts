/** Runs operator commands on a directory. */
import { assert } from "vitest"
import { operateInProcess } from "./operateInProcess.ts"

/** An id that does not exist. */
export const anyId = "01900000-0000-7000-8000-000000000000"

/**
 * Runs commands on a directory, and returns their output, or the status and the sentence of a
 * failure.
 */
export const makeRun = (directory: string, run: typeof operateInProcess = operateInProcess) => {
  const told = async (...args: ReadonlyArray<string>) => {
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
  return { told, refused }
}
