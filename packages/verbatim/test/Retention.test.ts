/** For how long workspaces keep what, as an operator says and sees it by command. */
import { assert, describe, it } from "vitest"
import { operateHere } from "./Here.ts"
import { dataDirectory, operate } from "./ServerProcess.ts"

/** Commands on a directory: what they print, or the status and the sentence of their refusal. */
const makeRun = (directory: string, run = operateHere) => ({
  told: async (...args: ReadonlyArray<string>) => {
    const { status, stderr, stdout } = await run(directory, args)
    assert.strictEqual(status, 0, `${args.join(" ")}: ${stderr}`)
    return stdout.trim()
  },
  refused: async (...args: ReadonlyArray<string>) => {
    const { status, stderr } = await run(directory, args)
    return [status, stderr] as const
  }
})

describe("workspaces by command", () => {
  it("keep what for as long as they are told, and tell what would go", async () => {
    await using directory = await dataDirectory()
    const { refused, told } = makeRun(directory.path)
    // In a process of its own, as an operator does.
    const started = makeRun(directory.path, operate)
    const id = await told("workspaces", "create", "--name", "Ann")
    assert.include(await told("retention", "preview"), "there is no rule of retention")
    assert.strictEqual((await refused("workspaces", "retain", id))[0], 2)
    for (const days of ["0", "36501", "1.5", "never", ""]) {
      const [status, sentence] = await refused("workspaces", "retain", id, `--job-days=${days}`)
      assert.strictEqual(status, 2)
      assert.include(sentence, "default, or a whole number from 1 to 36500")
    }
    const shown = await started.told(
      "workspaces",
      "retain",
      id,
      "--job-days",
      "30",
      "--media-days",
      "1"
    )
    assert.match(shown, /^media kept +1 day$/m)
    assert.match(shown, /^transcripts kept +30 days, with the job$/m)
    assert.match(shown, /^jobs kept +30 days$/m)
    assert.match(await told("retention", "preview"), / 0 jobs {2}0 transcripts {2}0 files {2}Ann$/)
    const other = await told("workspaces", "create", "--name", "Ben")
    const preview = ["retention", "preview", "--workspace", other] as const
    assert.include(await told(...preview), "there is no rule of retention")
    const without = await told("workspaces", "retain", id, "--job-days", "default")
    assert.match(without, /^transcripts kept +for ever$/m)
    await told("workspaces", "delete", id, "--yes")
    const [status] = await started.refused("workspaces", "retain", id, "--job-days", "1")
    assert.strictEqual(status, 1)
  })
})
