/** An operator at the command line of a directory. */
import { assert } from "vitest"
import { operateInProcess } from "./operateInProcess.ts"

/** What nothing is called. */
export const anyId = "01900000-0000-7000-8000-000000000000"

/** Commands on a directory: what they print, or the sentence and the status of their refusal. */
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
