/** Tests the host's own database: its tables, its transactions and its errors. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { InvalidOptions } from "@verbatim/embed"
import { onTestFinished } from "vitest"
import { newFolder, openFor, recording, refusal, rejection, transcribed } from "./Opened.ts"

/** Creates the host's database file, with a table. */
const hostFile = () => {
  const folder = newFolder()
  const file = join(folder, "app.db")
  const database = new DatabaseSync(file)
  onTestFinished(() => database.close())
  database.exec("PRAGMA foreign_keys = ON")
  database.exec("CREATE TABLE jobs (title TEXT NOT NULL)")
  return { file, database, options: { database: `sqlite:${file}`, media: join(folder, "media") } }
}

describe("a host's database", () => {
  it("keeps the host's table if Verbatim has a table with the same name", async () => {
    const { database, options } = hostFile()
    database.exec("CREATE TABLE verbatim_jobs (title TEXT NOT NULL)")
    const fault = await rejection(openFor(options))
    assert.instanceOf(fault, InvalidOptions)
    assert.strictEqual(fault.code, "TableTaken")
    assert.match(
      fault.message,
      /table named verbatim_jobs in the database does not belong to Verbatim: use a separate file/
    )
    // Hosts set options, so the message must not name environment variables.
    assert.notInclude(fault.message, "VERBATIM_")
    const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
    assert.deepStrictEqual(
      names.map(({ name }) => name),
      ["jobs", "verbatim_jobs"]
    )
  })

  it("lets a transaction read its own writes, even in lists", async () => {
    const { database, options } = hostFile()
    const verbatim = await openFor(options)
    const { id } = await transcribed(verbatim)
    database.exec("BEGIN IMMEDIATE")
    const { presets, transcriptions } = verbatim.within(database)
    for (const slug of ["one", "two", "three"]) await presets.createFromResponses(slug, {})
    const slugs: Array<string> = []
    for await (const { slug } of presets.list({ limit: 2 })) slugs.push(slug)
    assert.sameMembers(slugs, ["one", "two", "three"])
    assert.include(await transcriptions.result(id, "plain_text"), "60900 ms")
    assert.strictEqual((await verbatim.presets.list()).total_count, 0)
    // An event stream never ends, so it would occupy the connection.
    await refusal(409, transcriptions.events(id).next())
    database.exec("ROLLBACK")
  })

  it("is rejected if its connection is read-only", async () => {
    const { file, options } = hostFile()
    const verbatim = await openFor(options)
    const byFile = new DatabaseSync(file, { readOnly: true })
    const byPragma = new DatabaseSync(file)
    byPragma.exec("PRAGMA query_only = ON")
    for (const reader of [byFile, byPragma]) {
      onTestFinished(() => reader.close())
      reader.exec("BEGIN")
      const { presets } = verbatim.within(reader)
      const fault = await refusal(409, presets.createFromResponses("notes", {}))
      assert.match(fault.message, /read-only/)
      reader.exec("ROLLBACK")
    }
  })

  it("is rejected outside a transaction", async () => {
    const { database, options } = hostFile()
    const verbatim = await openFor(options)
    const order = { path: recording }
    const fault = await refusal(409, verbatim.within(database).transcriptions.create(order))
    assert.match(fault.message, /transaction/)
    for (const connection of [null, 5, {}] as ReadonlyArray<unknown>) {
      const within = () => verbatim.within(connection as DatabaseSync)
      assert.throws(within, InvalidOptions, /within takes a connection/)
    }
    const inMemory = await openFor()
    const other = await refusal(409, inMemory.within(database).transcriptions.create(order))
    assert.match(other.message, /in-memory/)
    assert.lengthOf((await verbatim.transcriptions.list()).data, 0)
  })
})
