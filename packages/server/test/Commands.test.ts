import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout } from "node:timers/promises"
import { assert, describe, it } from "vitest"
import { operateInProcess } from "./operateInProcess.ts"
import {
  dataDirectory,
  inferenceKey,
  operate,
  ServerProcess,
  type Settings
} from "./ServerProcess.ts"

describe("operator commands", () => {
  it("create, list and revoke keys, and add minutes, next to a running server", async () => {
    await using directory = await dataDirectory()
    const run = (...args: ReadonlyArray<string>) => operate(directory.path, args)

    await using server = await ServerProcess.start(directory.path, {
      VERBATIM_ROLES: "http",
      VERBATIM_BOOTSTRAP_MINUTES: "60"
    })
    const submit = async (key: string) => {
      const body = new FormData()
      body.set("url", "ftp://example.com/a.mp3")
      const response = await server.request("/v1/transcribe", { method: "POST", body }, key)
      return response.json() as Promise<Readonly<Record<string, string>>>
    }
    assert.deepStrictEqual(await submit(inferenceKey), { detail: "Insufficient balance" })

    const credited = await run("workspaces", "credit", "--minutes", "0.01")
    assert.match(credited.stdout, /has 60\.01 minutes\./)
    const wrongScheme = { detail: "Invalid 'URL' format. Must start with http or https" }
    assert.deepStrictEqual(await submit(inferenceKey), wrongScheme)
    assert.match((await run("workspaces", "list")).stdout, /60\.01 minutes {2}default/)

    const created = await run("keys", "create", "--kind", "inference")
    const token = created.stdout.trim()
    assert.match(token, /^vbi_[0-9a-f]{48}$/)
    assert.deepStrictEqual(await submit(token), wrongScheme)
    const listed = (await run("keys", "list")).stdout.trim().split("\n")
    assert.strictEqual(listed.length, 3)
    assert.notInclude(listed.join(), token)

    const id = listed.find((line) => line.includes(token.slice(0, 8)))?.split(" ", 1)[0] ?? ""
    assert.strictEqual(created.stderr, `Key id, for \`verbatim keys revoke\`: ${id}\n`)
    assert.strictEqual((await run("keys", "revoke", id)).status, 0)
    assert.deepStrictEqual(await submit(token), { detail: "Forbidden: Invalid API key" })
    const unknown = await run("keys", "revoke", "01900000-0000-7000-8000-000000000000")
    assert.strictEqual(unknown.status, 1)
    assert.include(unknown.stderr, "There is no key")
  })

  it("let a server adopt another media directory, after which the server is ready", async () => {
    await using directory = await dataDirectory()
    const elsewhere = { VERBATIM_MEDIA_URL: `file:${join(directory.path, "elsewhere")}` }
    const adopt = async (settings: Settings) =>
      (await operate(directory.path, ["media", "adopt"], settings)).stdout
    assert.include(await adopt({}), "belongs to the configured database now")

    const settings = { ...elsewhere, VERBATIM_ROLES: "http" }
    await using server = await ServerProcess.start(directory.path, settings)
    const readiness = async () => (await server.request("/health/ready")).status
    assert.strictEqual(await readiness(), 503)
    assert.include(await adopt(elsewhere), "belongs to the configured database now")
    // The server checks again after a second.
    while ((await readiness()) !== 200) await setTimeout(100)
  })

  it("explain in one sentence why a server cannot start", async () => {
    await using directory = await dataDirectory()
    const twice = "the-same-key-for-both-0123456789abcdef"
    const sentences: ReadonlyArray<readonly [Settings, string]> = [
      [{ VERBATIM_MEDIA_URL: "file:/dev/null/media" }, "The media directory"],
      [{ VERBATIM_DATABASE_URL: "sqlite:/dev/null/db" }, "The database"],
      [
        { VERBATIM_DATABASE_URL: `postgres://me:${twice}@127.0.0.1:1/none` },
        "The database cannot be reached"
      ],
      [{ VERBATIM_HOST: "192.0.2.1" }, "Cannot listen on 192.0.2.1:0"],
      [
        { VERBATIM_BOOTSTRAP_MANAGEMENT_KEY: twice, VERBATIM_BOOTSTRAP_INFERENCE_KEY: twice },
        "The bootstrap keys must differ from each other."
      ]
    ]
    for (const [settings, sentence] of sentences) {
      const { status, stderr } = await operateInProcess(directory.path, ["serve"], settings)
      assert.strictEqual(status, 1)
      assert.include(stderr, sentence)
      assert.notMatch(stderr, / at /)
      assert.notInclude(stderr, twice)
    }
  })

  it("explain a missing workspace and a database of a newer version in one sentence", async () => {
    await using directory = await dataDirectory()
    await operateInProcess(directory.path, ["keys", "create", "--kind", "operator"])
    const create = () => operateInProcess(directory.path, ["keys", "create", "--kind", "inference"])
    const early = await create()
    assert.strictEqual(early.status, 1)
    assert.include(early.stderr, "There is no workspace yet")

    const database = new DatabaseSync(join(directory.path, "verbatim.db"))
    database.exec("INSERT INTO verbatim_migrations VALUES (99999, 'newer', 1, 99999, 0)")
    database.close()
    for (const answer of [await create(), await operate(directory.path, ["serve"])]) {
      assert.strictEqual(answer.status, 1)
      assert.include(answer.stderr, "The database belongs to a newer version of Verbatim")
      assert.notMatch(answer.stderr, /\n\s+at /)
    }
  })
})
