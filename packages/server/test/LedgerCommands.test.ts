/** What an operator reads of ledgers by command: their sums, and their lines. */
import { assert, describe, it } from "vitest"
import { anyId, makeRun } from "./Operator.ts"
import { dataDirectory } from "./ServerProcess.ts"

describe("ledgers by command", () => {
  it("tell what was used, deleted ones too", async () => {
    await using directory = await dataDirectory()
    const { refused, told } = makeRun(directory.path)
    const id = await told("workspaces", "create", "--name", "Ann")
    await told("workspaces", "credit", "--minutes", "90", "--workspace", id)
    await told("workspaces", "delete", id, "--yes")
    const { at } = JSON.parse(await told("ledger", "--workspace", id, "--json"))
    const day = at.slice(0, 10)
    const rows = await told("usage", "--by", "workspace", "--workspace", id)
    assert.match(rows, / {8}0\.00 minutes {2}0 jobs {2}credited 90\.00$/)
    const [row, ...others] = (await told("usage", "--from", day, "--json")).split("\n")
    assert.isEmpty(others)
    assert.deepInclude(JSON.parse(row ?? ""), { day, credited_millis: 5_400_000, jobs: 0 })
    assert.strictEqual(await told("usage", "--from", "2020-01-01", "--to", "2020-12-31"), "")
    for (const [from, to] of [
      ["2020-01-02", "2020-01-01"],
      ["2020-01-01", "2021-01-02"],
      ["yesterday", "2021-01-02"]
    ]) {
      const [status] = await refused("usage", "--from", from ?? "", "--to", to ?? "")
      assert.strictEqual(status, 2)
    }
  })

  it("tell each credit and each charge, the newest first, deleted ones too", async () => {
    await using directory = await dataDirectory()
    const { refused, told } = makeRun(directory.path)
    const id = await told("workspaces", "create", "--name", "Ann")
    for (const minutes of ["90", "-1.5", "2"]) {
      await told("workspaces", "credit", "--minutes", minutes, "--workspace", id)
    }
    // The only one needs no name.
    const lines = (await told("ledger")).split("\n")
    assert.lengthOf(lines, 3)
    assert.match(lines[0] ?? "", /^\d{4}-\S+Z {2} {8}2\.00 minutes {2}credit [0-9a-f-]{36}$/)
    assert.match(lines[1] ?? "", / -1\.50 minutes /)
    await told("workspaces", "delete", id, "--yes")
    const json = await told("ledger", "--workspace", id, "--last", "2", "--json")
    assert.deepStrictEqual(
      json.split("\n").map((line) => JSON.parse(line).millis),
      [120_000, -90_000]
    )
    for (const last of ["0", "-1", "x"]) {
      assert.strictEqual((await refused("ledger", "--workspace", id, `--last=${last}`))[0], 2)
    }
    const unknown = await refused("ledger", "--workspace", anyId)
    assert.deepStrictEqual(unknown, [1, `There is no workspace ${anyId}.`])
  })
})
