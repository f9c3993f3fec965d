import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout } from "node:timers/promises"
import { assert, describe, it } from "vitest"
import { operateInProcess } from "./operateInProcess.ts"
import { dataDirectory, operate, ServerProcess, type Settings } from "./ServerProcess.ts"

describe("operator commands", () => {
  it("assign another media directory, so that the server becomes ready again", async () => {
    await using directory = await dataDirectory()
    const elsewhere = { VERBATIM_MEDIA_URL: `file:${join(directory.path, "elsewhere")}` }
    const adopt = async (settings: Settings) =>
      (await operate(directory.path, ["media", "adopt"], settings)).stdout
    assert.include(await adopt({}), "now belongs to the configured database")

    const settings = { ...elsewhere, VERBATIM_ROLES: "http" }
    await using server = await ServerProcess.start(directory.path, settings)
    const readiness = async () => (await server.request("/health/ready")).status
    assert.strictEqual(await readiness(), 503)
    assert.include(await adopt(elsewhere), "now belongs to the configured database")
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

  it("explain a missing workspace or a newer version's database in one sentence", async () => {
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

  it("refer to the checks and the log if the store fails", async () => {
    await using directory = await dataDirectory()
    await operateInProcess(directory.path, ["workspaces", "create", "--name", "Ann"])
    using database = new DatabaseSync(join(directory.path, "verbatim.db"))
    database.exec(`CREATE TRIGGER failing BEFORE INSERT ON verbatim_api_keys
      BEGIN SELECT RAISE(ABORT, 'broken'); END`)
    const create = ["keys", "create", "--kind", "inference"]
    const { status, stderr } = await operate(directory.path, create)
    assert.strictEqual(status, 1)
    assert.include(stderr, "The store failed. `verbatim doctor` checks it; the log has the cause.")
    assert.include(stderr, "broken")
  })
})
