/** Tests commands for the ledgers, retention and keywords of workspaces. */
import { assert, describe, it } from "vitest"
import { anyId, makeRun } from "./operateInProcess.ts"
import { dataDirectory } from "./ServerProcess.ts"

describe("ledgers read by commands", () => {
  it("show the usage of all workspaces, even deleted ones", async () => {
    await using directory = await dataDirectory()
    const { refused, outputOf } = makeRun(directory.path)
    const id = await outputOf("workspaces", "create", "--name", "Ann")
    await outputOf("workspaces", "credit", "--minutes", "90", "--workspace", id)
    await outputOf("workspaces", "delete", id, "--yes")
    const { at } = JSON.parse(await outputOf("ledger", "--workspace", id, "--json"))
    const day = at.slice(0, 10)
    const rows = await outputOf("usage", "--by", "workspace", "--workspace", id)
    assert.match(rows, /^Ann +0\.00 +0 +90\.00 +\S+$/m)
    const [row, ...others] = (await outputOf("usage", "--from", day, "--json")).split("\n")
    assert.isEmpty(others)
    assert.deepInclude(JSON.parse(row ?? ""), { day, credited_millis: 5_400_000, jobs: 0 })
    assert.strictEqual(await outputOf("usage", "--from", "2020-01-01", "--to", "2020-12-31"), "")
    for (const [from, to] of [
      ["2020-01-02", "2020-01-01"],
      ["2020-01-01", "2021-01-02"],
      ["yesterday", "2021-01-02"]
    ]) {
      const [status] = await refused("usage", "--from", from ?? "", "--to", to ?? "")
      assert.strictEqual(status, 2)
    }
    for (const command of ["ledger", "usage"]) {
      const [status, message] = await refused(command, "--workspace", "")
      assert.strictEqual(status, 2)
      assert.match(message, /--workspace.*a value that is not empty/)
    }
  })

  it("list all credits and charges, even of deleted workspaces, newest first", async () => {
    await using directory = await dataDirectory()
    const { refused, outputOf } = makeRun(directory.path)
    const id = await outputOf("workspaces", "create", "--name", "Ann")
    for (const minutes of ["90", "-1.5", "2"]) {
      await outputOf("workspaces", "credit", "--minutes", minutes, "--workspace", id)
    }
    // If there is only one workspace, a command need not name it.
    const lines = (await outputOf("ledger")).split("\n")
    assert.lengthOf(lines, 4)
    assert.match(lines[1] ?? "", /^2\.00 +\d{4}-\S+Z {2}credit [0-9a-f-]{36}$/)
    assert.match(lines[2] ?? "", /^-1\.50 /)
    await outputOf("workspaces", "delete", id, "--yes")
    const json = await outputOf("ledger", "--workspace", id, "--last", "2", "--json")
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

describe("workspaces managed by commands", () => {
  it("are found by id, by external id, or by name if the name is unique", async () => {
    await using directory = await dataDirectory()
    const { refused, outputOf } = makeRun(directory.path)
    const ann = await outputOf("workspaces", "create", "--name", "Ann", "--external-id", "Ben")
    const ben = await outputOf("workspaces", "create", "--name", "Ben")
    const idOf = async (given: string) =>
      JSON.parse(await outputOf("workspaces", "show", given, "--json")).id
    // An external id is unique, so it takes precedence over a name.
    for (const given of [ann, "Ann", "Ben"]) assert.strictEqual(await idOf(given), ann)
    const again = await outputOf("workspaces", "create", "--name", "Ann")
    const several = await refused("workspaces", "credit", "--minutes", "1", "--workspace", "Ann")
    const ids = `${ann}, ${again}`
    const sentence = `Several workspaces are named "Ann". Use one of these ids: ${ids}.`
    assert.deepStrictEqual(several, [1, sentence])
    await outputOf("workspaces", "delete", ann, "--yes")
    assert.strictEqual(await idOf("Ann"), again)
    await outputOf("workspaces", "rename", "Ann", "--name", "Cleo")
    assert.deepStrictEqual([await idOf("Cleo"), await idOf(ben)], [again, ben])
  })

  it("have retention rules, and a preview of the data that they would delete", async () => {
    await using directory = await dataDirectory()
    const { refused, outputOf } = makeRun(directory.path)
    const id = await outputOf("workspaces", "create", "--name", "Ann")
    const none = [0, "No retention rules are set; nothing is deleted automatically."] as const
    assert.deepStrictEqual(await refused("retention", "preview"), none)
    assert.strictEqual((await refused("workspaces", "retain", id))[0], 2)
    for (const days of ["0", "36501", "1.5", "never", ""]) {
      const [status, sentence] = await refused("workspaces", "retain", id, `--job-days=${days}`)
      assert.strictEqual(status, 2)
      assert.include(sentence, "default, or a whole number from 1 to 36500")
    }
    const shown = await outputOf(
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
    assert.match(await outputOf("retention", "preview"), /^Ann +0 +0 +0 +\S+$/m)
    const other = await outputOf("workspaces", "create", "--name", "Ben")
    const preview = ["retention", "preview", "--workspace", other] as const
    assert.deepStrictEqual(await refused(...preview), none)
    const without = await outputOf("workspaces", "retain", id, "--job-days", "default")
    assert.match(without, /^transcripts kept +forever$/m)
    await outputOf("workspaces", "delete", id, "--yes")
    const [status] = await refused("workspaces", "retain", id, "--job-days", "1")
    assert.strictEqual(status, 1)
  })

  it("have keywords that can be set, shown and removed", async () => {
    await using directory = await dataDirectory()
    const { refused, outputOf } = makeRun(directory.path)
    const id = await outputOf("workspaces", "create", "--name", "Ann")
    const show = () => outputOf("workspaces", "show", id)
    const set = (to: string) => outputOf("workspaces", "keywords", id, "--to", to)
    assert.match(await show(), /^keywords +none$/m)
    assert.strictEqual(
      await set("Zoë Baker, myocarditis, Zoë Baker"),
      `${id}: Zoë Baker, myocarditis.`
    )
    assert.match(await show(), /^keywords +Zoë Baker, myocarditis$/m)
    assert.strictEqual(await set('["Baker, Zoë", "none"]'), `${id}: "Baker, Zoë", none.`)
    for (const wrong of ['["a"', "a".repeat(101), "[1]", "a\tb"]) {
      const [status, sentence] = await refused("workspaces", "keywords", id, "--to", wrong)
      assert.strictEqual(status, 2, wrong)
      assert.include(sentence, "at most 100 words or phrases")
    }
    assert.match(await show(), /^keywords +"Baker, Zoë", none$/m)
    assert.strictEqual(await set("none"), `${id}: no keywords.`)
  })
})
