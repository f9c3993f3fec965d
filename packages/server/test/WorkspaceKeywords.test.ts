/** Keywords of a workspace as an operator sets them by command. */
import { assert, it } from "vitest"
import { operateHere } from "./Here.ts"
import { dataDirectory } from "./ServerProcess.ts"

it("sets the keywords of a workspace, shows them, and takes them away", async () => {
  await using directory = await dataDirectory()
  const run = async (...args: ReadonlyArray<string>) => {
    const { status, stderr, stdout } = await operateHere(directory.path, args)
    return { status, stderr, told: stdout.trim() }
  }
  const { told: id } = await run("workspaces", "create", "--name", "Ann")
  const show = async () => (await run("workspaces", "show", id)).told
  const set = (...to: ReadonlyArray<string>) => run("workspaces", "keywords", id, ...to)
  assert.match(await show(), /^keywords +none$/m)
  const given = await set("--to", "Zoë Baker, myocarditis, Zoë Baker")
  assert.deepEqual(given, { status: 0, stderr: "", told: `${id}: Zoë Baker, myocarditis.` })
  assert.match(await show(), /^keywords +Zoë Baker, myocarditis$/m)
  const listed = await set("--to", '["Baker, Zoë", "none"]')
  assert.strictEqual(listed.told, `${id}: "Baker, Zoë", none.`)
  for (const wrong of ['["a"', "a".repeat(101), "[1]", "a\tb"]) {
    const { status, stderr } = await set("--to", wrong)
    assert.strictEqual(status, 2, wrong)
    assert.include(stderr, "at most 100 words or phrases")
  }
  assert.strictEqual((await set()).status, 2)
  assert.match(await show(), /^keywords +"Baker, Zoë", none$/m)
  assert.strictEqual((await set("--to", "none")).told, `${id}: no keywords.`)
})
