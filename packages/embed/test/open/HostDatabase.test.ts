/** The host's own database: its tables, its transactions, and what is wrong with it. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { InvalidInput, InvalidOptions, NotFound, Refused, Unavailable } from "@verbatim/embed"
import { onTestFinished } from "vitest"
import { openFor, recording, rejection } from "./Opened.ts"

/** A file of the host, in which it has a table of a name of ours. */
const hostFile = () => {
  const folder = mkdtempSync(join(tmpdir(), "verbatim-embed-"))
  const file = join(folder, "app.db")
  const database = new DatabaseSync(file)
  onTestFinished(() => {
    database.close()
    rmSync(folder, { recursive: true, force: true })
  })
  database.exec("PRAGMA foreign_keys = ON")
  database.exec("CREATE TABLE jobs (title TEXT NOT NULL)")
  return { database, options: { database: `sqlite:${file}`, media: join(folder, "media") } }
}

describe("the database of a host", () => {
  it("keeps a table that has a name of ours, and refuses to share it", async () => {
    const { database, options } = hostFile()
    const fault = await rejection(openFor(options))
    assert.instanceOf(fault, InvalidOptions)
    assert.strictEqual(fault.code, "TableTaken")
    assert.match(fault.message, /table named jobs that is not Verbatim's.*set tablePrefix/)
    // An option has no variable.
    assert.notInclude(fault.message, "VERBATIM_")
    const verbatim = await openFor({ ...options, tablePrefix: "verbatim_" })
    await verbatim.wait(await verbatim.transcribe({ media: recording }))
    assert.deepStrictEqual(database.prepare("SELECT * FROM jobs").all(), [])
    const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
    const others = names.filter(({ name }) => !String(name).startsWith("verbatim_"))
    assert.deepStrictEqual(
      others.map(({ name }) => name),
      ["jobs"]
    )
  })

  it("commits a job and a preset with the rows of the host, or none of them", async () => {
    const { database, options } = hostFile()
    const verbatim = await openFor({ ...options, tablePrefix: "verbatim_" })
    const attempt = async (end: "COMMIT" | "ROLLBACK") => {
      database.exec("BEGIN IMMEDIATE")
      database.prepare("INSERT INTO jobs VALUES ('mine')").run()
      const inside = verbatim.within(database)
      const job = await inside.transcribe({ media: recording, workspace: "acme" })
      await inside.presets.create({ workspace: "acme", slug: end.toLowerCase(), body: {} })
      database.exec(end)
      return { id: job.id, workspace: "acme" }
    }
    const undone = await attempt("ROLLBACK")
    assert.instanceOf(await rejection(verbatim.jobs.get(undone)), NotFound)
    const preset = { workspace: "acme", slug: "rollback" }
    assert.instanceOf(await rejection(verbatim.presets.get(preset)), NotFound)
    const kept = await attempt("COMMIT")
    assert.strictEqual((await verbatim.wait(kept)).state, "completed")
    assert.strictEqual((await verbatim.presets.get({ ...preset, slug: "commit" })).slug, "commit")
    assert.lengthOf(database.prepare("SELECT * FROM jobs").all(), 1)
  })

  it("is refused where it is in no transaction", async () => {
    const { database, options } = hostFile()
    const verbatim = await openFor({ ...options, tablePrefix: "verbatim_" })
    const fault = await rejection(verbatim.within(database).transcribe({ media: recording }))
    assert.instanceOf(fault, Refused)
    assert.strictEqual(fault.details.reason, "NotOpen")
    for (const connection of [null, undefined, 5] as ReadonlyArray<unknown>) {
      const inside = verbatim.within(connection as DatabaseSync)
      assert.instanceOf(await rejection(inside.transcribe({ media: recording })), InvalidInput)
    }
    const inMemory = await openFor()
    const other = await rejection(inMemory.within(database).transcribe({ media: recording }))
    assert.instanceOf(other, InvalidInput)
  })

  it("says which database cannot be opened, and why, without its password", async () => {
    const file = await rejection(openFor({ database: "sqlite:/proc/none.db" }))
    assert.instanceOf(file, Unavailable)
    assert.match(file.message, /\/proc\/none\.db cannot be opened/)
    const url = "postgres://user:hidden-word@127.0.0.1:1/app"
    const server = await rejection(openFor({ database: url }))
    assert.instanceOf(server, Unavailable)
    assert.match(server.message, /127\.0\.0\.1:1\/app.*nothing listens there/)
    assert.notInclude(server.message, "hidden-word")
  })
})
