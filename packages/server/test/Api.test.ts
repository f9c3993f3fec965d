/**
 * Tests `verbatim api`, `verbatim jobs`, and operator commands, both on a server and in the
 * server's database.
 */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { document } from "@verbatim/http/description"
import { afterAll, assert, describe, it } from "vitest"
import { anyId, operateInProcess } from "./operateInProcess.ts"
import {
  dataDirectory,
  inferenceKey,
  managementKey,
  operate,
  operatorKey,
  ServerProcess,
  type Settings
} from "./ServerProcess.ts"

const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())

const { path: root } = stack.use(await dataDirectory())
const server = stack.use(
  await ServerProcess.start(root, {
    VERBATIM_BOOTSTRAP_OPERATOR_KEY: operatorKey,
    VERBATIM_KEEP_MEDIA: "true"
  })
)

const url = { VERBATIM_URL: server.address }

/** Two ways to reach the same workspace: through the server, and directly in its database. */
const ways: Readonly<Record<string, Settings>> = {
  HTTP: { ...url, VERBATIM_KEY: managementKey },
  database: {}
}

const run = async (settings: Settings, ...args: ReadonlyArray<string>) => {
  const { status, stderr, stdout } = await operateInProcess(root, args, settings)
  return { status, stderr: stderr.trim().replace(/^ERROR\s+/, ""), printed: stdout.trim() }
}

const recording = fileURLToPath(new URL("../../adapters/test/media/letter.wav", import.meta.url))

describe("verbatim api", () => {
  it("lists all operations of the API", async () => {
    const { printed } = await run({}, "api", "--json")
    const listed = printed.split("\n").map((line) => JSON.parse(line).operation)
    const described = Object.values(document().paths).flatMap((path) =>
      Object.values(path).flatMap((each) => Object(each).operationId ?? [])
    )
    assert.deepStrictEqual(listed, described)
    assert.match(
      (await run({}, "api")).printed,
      /^presets\.version <slug> <version> +Read a version/m
    )
  })

  it.each(Object.entries(ways))(
    "prints the same answers as the API (%s)",
    async (way, settings) => {
      const call = async (...args: ReadonlyArray<string>) => {
        const { status, stderr, printed } = await run(settings, "api", ...args)
        assert.deepStrictEqual([status, stderr], [0, ""], args.join(" "))
        return printed
      }
      const slug = `called-${way.toLowerCase()}`
      const body = '{"messages":[],"model":"a","seed":9007199254740993}'
      const file = join(root, `${slug}.json`)
      await writeFile(file, body)
      const create = ["presets.createFromChatCompletions", slug, "--json"]
      const made = await call(...create, "--body", `@${file}`)
      assert.include(made, '"seed":9007199254740993')
      const { designated_version_id: id } = JSON.parse(made).data
      await call(...create, "--body", body, "--query", "stage=true", "--header", `if-match="${id}"`)
      const listed = JSON.parse(await call("presets.versions", slug, "--query", "limit=1"))
      assert.deepInclude(listed, { total_count: 2 })
      const answer = await server.request(`/v1/presets/${slug}/versions/2`, {}, managementKey)
      assert.strictEqual(await call("presets.version", slug, "2", "--json"), await answer.text())
      const moved = await call("presets.labels.move", slug, "old", "--body", '{"version":1}')
      assert.deepInclude(JSON.parse(moved).data, { label: "old", version: 1 })
      assert.strictEqual(await call("presets.labels.remove", slug, "old"), "")
    }
  )

  it.each([
    [["presets.lst"], 2, 'There is no operation "presets.lst". Did you mean presets.list?'],
    [["presets.get"], 2, "Wrong number of arguments. Usage: verbatim api presets.get <slug>"],
    [["presets.get", "absent"], 1, "Preset not found."],
    [["presets.resolveNamed", "--body", "{"], 2, "--body must be JSON."],
    [["presets.get", "a", "--file", "a.wav"], 2, "presets.get does not accept a file."],
    [["transcriptions.create", "--file", "/none.wav"], 1, 'There is no file "/none.wav".']
  ] as const)("rejects %j with a sentence", async (args, status, sentence) => {
    for (const settings of Object.values(ways)) {
      const refused = await run(settings, "api", ...args)
      assert.deepStrictEqual([refused.status, refused.stderr], [status, sentence])
    }
  })

  it.each([
    ["--query", "limit=1", "--query", "limit=2"],
    ["--header", "if-match=a", "--header", "if-match=b"],
    ["--query", "limit"],
    ["--query", "=1"],
    ["--query", "limit="]
  ])("refuses pairs that are incomplete or repeated: %s %s %s %s", async (...pairs) => {
    const { status, stderr } = await run({}, "api", "presets.list", ...pairs)
    assert.strictEqual(status, 2)
    assert.include(stderr, "Expected: key=value, with each key only once")
  })

  it("says that a server's URL must not end with /v1", async () => {
    const { status, stderr } = await run(
      { ...ways.HTTP, VERBATIM_URL: `${server.address}/v1` },
      ...["jobs", "list"]
    )
    const sentence = `There is no API at ${server.address}/v1. Leave out /v1.`
    assert.deepStrictEqual([status, stderr], [1, sentence])
  })
})

describe.each(Object.entries(ways))("verbatim jobs (%s)", (way, settings) => {
  const jobs = (...args: ReadonlyArray<string>) => run(settings, "jobs", ...args)
  const callbackId = `job-${way.toLowerCase()}`

  const submit = async () => {
    const order = JSON.stringify({ callback_id: callbackId })
    const upload = ["api", "transcriptions.create", "--file", recording, "--body", order]
    const { stderr, printed } = await run(settings, ...upload)
    assert.strictEqual(stderr, "")
    return JSON.parse(printed).id as string
  }

  it("waits for a job, lists it, shows it and deletes it", async () => {
    const id = await submit()
    const waited = await jobs("wait", id)
    assert.deepStrictEqual([waited.status, waited.stderr], [0, ""])
    assert.match(waited.printed, /^status +COMPLETED$/m)
    const listed = await jobs("list", "--callback-id", callbackId, "--limit", "1")
    assert.match(
      listed.printed,
      new RegExp(`^NAME +STATUS +CREATED +ID\n${callbackId}  COMPLETED  \\S+Z  ${id}$`)
    )
    const [line] = (await jobs("list", "--status", "COMPLETED", "--json")).printed.split("\n")
    assert.deepInclude(JSON.parse(line ?? ""), { id, callback_id: callbackId })
    assert.strictEqual((await jobs("list", "--created-before", "2020-01-01")).printed, "")
    for (const [flag, wrong] of [
      ["callback-id", " a"],
      ["created-after", "2026-13-01"],
      ["created-before", "yesterday"],
      ["search", "!?"]
    ]) {
      for (const value of ["", wrong]) {
        assert.strictEqual((await jobs("list", `--${flag}=${value}`)).status, 2, flag)
      }
    }
    assert.strictEqual((await jobs("show", "")).status, 2)
    const shown = JSON.parse((await jobs("show", id, "--json")).printed)
    const answer = await server.request(`/v1/transcriptions/${id}`, {}, inferenceKey)
    assert.deepStrictEqual(shown, await answer.json())
    assert.match((await jobs("show", id)).printed, /^file +letter\.wav$/m)
    const text = await run(settings, "api", "transcriptions.result", id, "plain_text")
    assert.strictEqual(text.printed, (await jobs("show", id)).printed.split("\n\n")[1])
    const retried = await jobs("retry", id)
    assert.deepStrictEqual(
      [retried.status, retried.stderr],
      [1, "The transcription has not failed."]
    )
    const cancelled = await jobs("cancel", id)
    assert.deepStrictEqual([cancelled.status, cancelled.printed], [1, ""])
    assert.include(cancelled.stderr, "has ended. `verbatim jobs delete` deletes it.")
    const acted = await jobs("act", "retry", "--callback-id", callbackId)
    assert.strictEqual(acted.printed, "0 done\n1 unchanged: The transcription has not failed")
    assert.strictEqual(
      (await jobs("act", "delete")).stderr,
      "Choose the jobs with a filter, such as --status FAILED."
    )
    assert.strictEqual((await jobs("delete", id)).printed, `Deleted ${id}.`)
    const gone = await jobs("show", id)
    assert.deepStrictEqual(
      [gone.status, gone.stderr],
      [1, `There is no job ${id} in the workspace.`]
    )
    assert.strictEqual((await jobs("show", anyId)).status, 1)
  })
})

describe("an operator on a server", () => {
  const key = { VERBATIM_KEY: operatorKey }
  const at = (...args: ReadonlyArray<string>) => run(key, ...args, "--url", server.address)

  it("reads and writes the same data through the API as in the database", async () => {
    const { printed: id } = await at(
      "workspaces",
      "create",
      "--name",
      "Ann",
      "--minutes-per-day",
      "9"
    )
    for (const args of [
      ["workspaces", "disable", id],
      ["workspaces", "enable", id],
      ["workspaces", "keywords", id, "--to", "myocarditis"],
      ["workspaces", "credit", "--minutes", "5", "--workspace", id],
      ["workspaces", "retain", id, "--job-days", "3"],
      ["keys", "create", "--kind", "inference", "--workspace", id, "--json"]
    ]) {
      const answer = await at(...args)
      assert.deepStrictEqual([answer.status, answer.stderr], [0, ""], args.join(" "))
    }
    for (const args of [
      ["workspaces", "list"],
      ["keys", "list", "--workspace", id],
      ["ledger", "--workspace", id],
      ["usage", "--by", "workspace"]
    ]) {
      for (const json of [[], ["--json"]]) {
        const { printed } = await at(...args, ...json)
        assert.isNotEmpty(printed)
        assert.strictEqual((await run({}, ...args, ...json)).printed, printed, args.join(" "))
      }
    }
    assert.match((await at("workspaces", "show", id)).printed, /^jobs kept +3 days$/m)
    const { balance_minutes } = JSON.parse((await at("workspaces", "show", id, "--json")).printed)
    assert.strictEqual(balance_minutes, "5.00")
    await at("api", "work.pause", "--body", '{"tasks": ["Deliver", "Summarize"]}')
    assert.match(
      (await at("workers")).printed,
      /^Workers\n {2}alive .*\nPaused: Deliver, Summarize\nNo pending work\.$/m
    )
    await at("api", "work.pause", "--body", '{"tasks": []}')
    assert.match(
      (await at("workspaces", "delete", id)).stderr,
      /^This deletes "Ann" with 1 key, its presets/
    )
    assert.strictEqual((await at("workspaces", "delete", id, "--yes")).status, 0)
  })

  it("accepts only operator keys", async () => {
    const list = ["workspaces", "list", "--url", server.address]
    const without = await run({}, ...list)
    assert.deepStrictEqual(
      [without.status, without.stderr],
      [2, "Set VERBATIM_KEY to an operator key of the server."]
    )
    assert.strictEqual((await run({ VERBATIM_KEY: managementKey }, ...list)).status, 1)
    assert.strictEqual((await at("keys", "create", "--kind", "operator")).status, 2)
  })

  it("needs no workspace to call operators' operations", async () => {
    const { printed: id } = await run({}, "workspaces", "create", "--name", "Ben")
    assert.strictEqual((await run({}, "api", "workspaces.get", id)).status, 0)
    const { stderr } = await run({}, "api", "presets.list")
    assert.include(stderr, "There are several workspaces. Choose one from")
    assert.strictEqual((await run({}, "api", "presets.list", "--workspace", id)).status, 0)
    const empty = await run({}, "jobs", "list", "--workspace", id)
    assert.deepStrictEqual([empty.printed, empty.stderr], ["", "There is nothing to list."])
  })

  it("prints the bytes of a recording unchanged from a separate process", async () => {
    const { id } = await server.upload({})
    const { status, stdout } = await operate(
      root,
      ["api", "transcriptions.media", id ?? ""],
      ways.HTTP
    )
    assert.deepStrictEqual([status, stdout.slice(0, 4)], [0, "RIFF"])
  })
})
