/** Tests `verbatim migrate`. */
import { readdir } from "node:fs/promises"
import { assert, describe, it } from "vitest"
import { makeRun, operateInProcess } from "./operateInProcess.ts"
import { dataDirectory } from "./ServerProcess.ts"

describe("verbatim migrate", () => {
  it("migrates a database even if the settings forbid this to other commands", async () => {
    await using directory = await dataDirectory()
    const settings = { VERBATIM_MIGRATE: "false" }
    const { refused, outputOf } = makeRun(directory.path, (path, args) =>
      operateInProcess(path, args, settings)
    )
    const create = ["workspaces", "create", "--name", "Ann"]
    const [status, sentence] = await refused(...create)
    assert.strictEqual(status, 1)
    assert.match(sentence, /Migrations are missing .*0001_schema_\w+.* Run `verbatim migrate`\./)
    assert.match(await outputOf("migrate", "--print"), /^-- migration 0001[\s\S]*\n\nCREATE TABLE /)
    assert.notInclude(await readdir(directory.path), "verbatim.db")

    assert.match(await outputOf("migrate"), /^Applied: 0001_schema_\w+\.$/)
    assert.strictEqual(await outputOf("migrate"), "All migrations are applied.")
    assert.strictEqual(await outputOf("migrate", "--print"), "-- All migrations are applied.")
    assert.deepStrictEqual(JSON.parse(await outputOf("migrate", "--json")), { applied: [] })
    await outputOf(...create)
  })
})
