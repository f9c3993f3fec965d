/** Tests commands for workspaces and keys while a server uses them. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "vitest"
import { anyId, makeRun } from "./operateInProcess.ts"
import { dataDirectory, inferenceKey, operate, ServerProcess } from "./ServerProcess.ts"

const idPattern = /^[0-9a-f-]{36}$/

describe("workspaces managed by commands", () => {
  it("are created, renamed, disabled, enabled and deleted while the server uses them", async () => {
    await using directory = await dataDirectory()
    const { refused, outputOf } = makeRun(directory.path)
    // This command runs in a separate process, as an operator would run it.
    const started = makeRun(directory.path, operate)
    await using server = await ServerProcess.start(directory.path, { VERBATIM_ROLES: "http" })
    const statusWith = async (key: string) =>
      (await server.request("/v1/transcriptions", {}, key)).status

    const named = ["--name", "Ann", "--external-id", "customer 1"]
    const id = await started.outputOf("workspaces", "create", ...named)
    assert.match(id, idPattern)
    const key = await started.outputOf("keys", "create", "--kind", "inference", "--workspace", id)
    assert.strictEqual(await statusWith(key), 200)
    assert.match(await outputOf("workspaces", "list"), /^Ann +active +0\.00 +customer 1 +\S+$/m)

    assert.include(await started.outputOf("workspaces", "disable", id), "is disabled")
    assert.strictEqual(await statusWith(key), 403)
    assert.strictEqual(await statusWith(inferenceKey), 200)
    assert.include(await outputOf("workspaces", "enable", id), "is active")
    assert.strictEqual(await statusWith(key), 200)
    assert.include(await outputOf("workspaces", "rename", id, "--name", "Anna"), '"Anna"')
    const shown = await outputOf("workspaces", "show", id)
    assert.match(shown, /^name +Anna$/m)
    assert.match(shown, /^external id +customer 1$/m)
    assert.match(shown, /^keys +1 valid, 1 in total$/m)
    assert.match(shown, /^jobs kept +forever$/m)

    const [status, loss] = await started.refused("workspaces", "delete", id)
    assert.strictEqual(status, 2)
    assert.match(
      loss,
      /^This deletes "Anna" with 1 key, 0 webhook secrets, its presets, and its jobs/
    )
    assert.match(loss, /The ledger stays \(0\.00 minutes\)\. Pass --yes/)
    assert.strictEqual(await statusWith(key), 200)
    assert.include(await outputOf("workspaces", "delete", id, "--yes"), "The ledger stays")
    assert.strictEqual(await statusWith(key), 403)
    for (const args of [["enable"], ["rename", "--name", "Ann"], ["delete", "--yes"]]) {
      const [name = "", ...flags] = args
      const sentence = await refused("workspaces", name, id, ...flags)
      assert.match(sentence.join(" "), /^1 The workspace \S+ is (?:being )?deleted\.$/)
    }
    assert.strictEqual((await started.refused("workspaces", "enable", id))[0], 1)
    // If only one workspace remains, a command need not name it.
    assert.include(await outputOf("workspaces", "credit", "--minutes", "1"), "has 601.00 minutes")
  })

  it("can have limits, just like keys", async () => {
    await using directory = await dataDirectory()
    const { refused, outputOf } = makeRun(directory.path)
    const flags = ["--requests-per-second", "20", "--unfinished-jobs", "3"]
    const id = await outputOf("workspaces", "create", "--name", "Ann", ...flags)
    assert.match(
      await outputOf("workspaces", "show", id),
      /^limits +20 requests\/s, 3 unfinished jobs$/m
    )
    const change = ["--requests-per-second", "none", "--minutes-per-day", "60"]
    const limited = `${id}: 3 unfinished jobs, 60 minutes/day.`
    assert.strictEqual(await outputOf("workspaces", "limit", id, ...change), limited)
    const listed = await outputOf("workspaces", "list")
    assert.match(listed, /^Ann +active +0\.00 +3 unfinished jobs, 60 minutes\/day +\S+$/m)
    assert.deepStrictEqual(await refused("workspaces", "limit", id), [
      2,
      "Give --requests-per-second, --unfinished-jobs or --minutes-per-day."
    ])
    const [status, usage] = await refused("workspaces", "limit", id, "--minutes-per-day", "0")
    assert.strictEqual(status, 2)
    assert.include(usage, "a whole number above 0")
    await outputOf("keys", "create", "--kind", "inference", "--requests-per-second", "5")
    assert.match(await outputOf("keys", "list"), / {2}5 requests\/s {2}/m)
    const [, operator] = await refused(
      ...["keys", "create", "--kind", "operator", "--minutes-per-day", "5"]
    )
    assert.include(operator, "Operator keys belong to no workspace")
    const off = ["--unfinished-jobs", "none", "--minutes-per-day", "none"]
    assert.strictEqual(await outputOf("workspaces", "limit", id, ...off), `${id}: no limits.`)
  })

  it("have unique external ids, and are reported if unknown", async () => {
    await using directory = await dataDirectory()
    const { refused, outputOf } = makeRun(directory.path)
    const id = await outputOf("workspaces", "ensure", "session-7")
    assert.match(id, idPattern)
    const others = makeRun(directory.path, operate)
    const ensure = () => others.outputOf("workspaces", "ensure", "session-7")
    const all = await Promise.all([1, 2, 3].map(ensure))
    assert.deepStrictEqual(all, [id, id, id])
    assert.deepStrictEqual(
      await refused("workspaces", "create", "--name", "other", "--external-id", "session-7"),
      [1, "Another workspace has the external id session-7."]
    )
    for (const unknown of [anyId, "nobody"]) {
      for (const args of [
        ["workspaces", "show", unknown],
        ["workspaces", "rename", unknown, "--name", "x"],
        ["workspaces", "disable", unknown],
        ["workspaces", "delete", unknown, "--yes"],
        ["keys", "create", "--kind", "inference", "--workspace", unknown],
        ["keys", "list", "--workspace", unknown]
      ]) {
        assert.deepStrictEqual(await refused(...args), [1, `There is no workspace ${unknown}.`])
      }
    }
  })

  it("are printed with their names escaped for terminals", async () => {
    await using directory = await dataDirectory()
    const { outputOf } = makeRun(directory.path)
    const id = await outputOf("workspaces", "create", "--name", "a\u001b[2Jb\nc\u202e")
    const list = await outputOf("workspaces", "list")
    assert.strictEqual(list.split("\n").length, 2)
    assert.include(list, "a\\u{1b}[2Jb\\u{a}c\\u{202e}")
    assert.include(await outputOf("workspaces", "show", id), "\\u{1b}")
  })
})

describe("keys managed by commands", () => {
  it("are listed with their properties, and rotated with an overlap", async () => {
    await using directory = await dataDirectory()
    const { refused, outputOf } = makeRun(directory.path)
    const workspace = await outputOf("workspaces", "create", "--name", "Ann")
    const made = await outputOf(
      ...["keys", "create", "--kind", "management", "--workspace", workspace, "--name", "CI"],
      ...["--user", "ann", "--scopes", "presets:read,usage:read", "--expires", "9999-01-01T00:00Z"]
    )
    const operator = await outputOf("keys", "create", "--kind", "operator", "--name", "on call")
    assert.match(operator, /^vbo_[0-9a-f]{48}$/)

    const row = async (token: string) => {
      const rows = (await outputOf("keys", "list")).split("\n")
      assert.notInclude(rows.join(), token)
      const found = rows.find((line) => line.includes(token.slice(0, 8))) ?? ""
      const [id = ""] = /[0-9a-f-]{36}/.exec(found) ?? []
      return { id, cells: found.split(/ {2,}/) }
    }
    const first = await row(made)
    const ends = ["9999-01-01T00:00:00Z", "ann", "presets:read,usage:read"]
    const created = first.cells[4] ?? ""
    assert.match(created, /^\d{4}-\S+Z$/)
    assert.deepStrictEqual(first.cells, [
      ...["CI", "management", `${made.slice(0, 8)}…`, "active", created, "never", ...ends],
      ...[first.id, workspace]
    ])
    const other = await row(operator)
    const hint = `${operator.slice(0, 8)}…`
    assert.includeMembers(other.cells, ["on call", "operator", hint, "never", other.id, "all"])
    const own = await outputOf("keys", "list", "--workspace", workspace)
    assert.strictEqual(own.split("\n").length, 2)

    // Commands find a key by its id or by the beginning of its token.
    const shown = await outputOf("keys", "show", first.id)
    assert.strictEqual(await outputOf("keys", "show", made.slice(0, 12)), shown)
    for (const line of [
      `workspace        ${workspace} "Ann"`,
      "kind             management",
      "scopes           presets:read, usage:read",
      "expires          9999-01-01T00:00:00Z",
      "last used        never"
    ]) {
      assert.include(shown.split("\n"), line)
    }
    assert.include(await outputOf("keys", "show", operator), "workspace        all")
    for (const unknown of ["vbm", `vbm_${"0".repeat(48)}`, anyId]) {
      assert.include((await refused("keys", "show", unknown))[1], "There is no such key.")
    }

    const successor = await outputOf("keys", "rotate", first.id, "--workspace", workspace)
    assert.match(successor, /^vbm_[0-9a-f]{48}$/)
    assert.includeMembers((await row(successor)).cells, ["CI", "ann"])
    assert.notInclude((await row(made)).cells.join(), "9999")
    const at = (await row(successor)).id
    const immediate = await outputOf("keys", "rotate", at, "--overlap", "0 seconds")
    assert.include((await row(successor)).cells, "expired")
    assert.include((await row(immediate)).cells, "active")

    for (const id of [other.id, (await row(immediate)).id]) {
      assert.strictEqual(await outputOf("keys", "revoke", id), `Revoked ${id}.`)
    }
    assert.include((await row(operator)).cells, "revoked")
    const [status, sentence] = await refused("keys", "rotate", other.id)
    assert.strictEqual(status, 1)
    assert.include(sentence, `has no valid key ${other.id} to rotate`)
  })

  it("are rejected with a message that does not contain the token", async () => {
    await using directory = await dataDirectory()
    const { refused, outputOf } = makeRun(directory.path)
    await outputOf("workspaces", "create", "--name", "Ann")
    const create = (...args: ReadonlyArray<string>) =>
      refused("keys", "create", "--kind", "inference", ...args)
    const [beyond, allowed] = await create("--scopes", "presets:read,presets:write")
    assert.strictEqual(beyond, 1)
    assert.include(allowed, "of kind inference cannot have the scope presets:write, only")
    assert.deepStrictEqual(await create("--expires", "2020-01-01T00:00:00+01:00"), [
      1,
      "The expiry time 2019-12-31T23:00:00.000Z is in the past."
    ])
    assert.deepStrictEqual(await refused("keys", "revoke", anyId), [1, `There is no key ${anyId}.`])
    const token = await outputOf("keys", "create", "--kind", "inference")
    for (const name of ["revoke", "rotate"]) {
      const [status, sentence] = await refused("keys", name, token)
      assert.strictEqual(status, 1)
      assert.include(sentence, "There is no such key")
      assert.notInclude(sentence, token.slice(4))
    }
    const [, unknown] = await refused("workspaces", "show", token)
    assert.strictEqual(unknown, "There is no workspace vbi_….")
    await outputOf("workspaces", "create", "--name", "Ben")
    assert.deepStrictEqual(await create(), [
      1,
      "There are several workspaces. Choose one from `verbatim workspaces list` with --workspace."
    ])
  })
})

describe("the operator key from the environment", () => {
  const token = "operator-key-of-the-environment-0123456789"
  const settings = { VERBATIM_ROLES: "http", VERBATIM_BOOTSTRAP_OPERATOR_KEY: token }

  const keysIn = (directory: string) => {
    const database = new DatabaseSync(join(directory, "verbatim.db"), { readOnly: true })
    const rows = database.prepare("SELECT hint, revoked_at FROM verbatim_operator_keys").all()
    database.close()
    return rows.map((row) => [row.hint, row.revoked_at === null])
  }

  it("is added only at the first start, and stays revoked at later starts", async () => {
    await using directory = await dataDirectory()
    const { outputOf } = makeRun(directory.path)
    const start = async (more = {}) => {
      await using server = await ServerProcess.start(directory.path, { ...settings, ...more })
      await server.end("SIGTERM")
      return keysIn(directory.path)
    }
    assert.deepStrictEqual(await start({ VERBATIM_BOOTSTRAP_OPERATOR_KEY: "" }), [])
    assert.deepStrictEqual(await start(), [["operator…", true]])
    assert.deepStrictEqual(await start(), [["operator…", true]])
    const [id = ""] = /\S+(?= {2}all$)/m.exec(await outputOf("keys", "list")) ?? []
    await outputOf("keys", "revoke", id)
    assert.deepStrictEqual(await start(), [["operator…", false]])
  })
})
