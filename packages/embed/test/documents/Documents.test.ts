/** The programs that `docs/embed.md` shows do what it says. */
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Presets } from "@verbatim/core/services"
import { InvalidInput, NotFound, open, type Verbatim } from "@verbatim/embed"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import { inject, onTestFinished } from "vitest"
import { measuring, openFor, recording, rejection } from "../open/Opened.ts"
import { recogniseBy, summarise } from "./Engine.ts"
import { statusOf } from "./Failures.ts"
import { writeDown } from "./Finished.ts"
import { services } from "./HostClient.ts"
import { openWeb, openWorker } from "./Roles.ts"
import { publish } from "./Transaction.ts"

const media = pathToFileURL(recording)

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "verbatim-documents-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A database of its own on the server of this run. */
const newDatabase = async (name: string): Promise<pg.Pool> => {
  const url = new URL(await (await fetch(inject("postgres"))).text())
  const server = new pg.Pool({ connectionString: url.href, max: 1 })
  await server.query(`DROP DATABASE IF EXISTS ${name}`)
  await server.query(`CREATE DATABASE ${name}`)
  await server.end()
  url.pathname = `/${name}`
  const pool = new pg.Pool({ connectionString: url.href })
  pool.on("error", () => undefined)
  return pool
}

/** A server of speech that answers with what it is told. */
const answering = async (status: number, text: string): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume().once("end", () => response.writeHead(status).end(text))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const resultOf = async (verbatim: Verbatim) =>
  verbatim.wait(await verbatim.transcribe({ media, summary: "brief" }))

describe("the page about embedding", () => {
  it("shows an engine, and what its faults mean", async () => {
    const hearing = recogniseBy(await answering(200, "Good morning."))
    const heard = await resultOf(await openFor({ transcribe: hearing, summarize: summarise }))
    assert(heard.state === "completed")
    assert.strictEqual(heard.summary, "brief: Good morning.")
    const refusing = recogniseBy(await answering(403, ""))
    const refused = await resultOf(await openFor({ transcribe: refusing }))
    assert(refused.state === "failed")
    assert.strictEqual(refused.failure.code, "EngineRefused")
  })

  it("shows a transaction that writes both, or neither", async () => {
    const pool = await newDatabase("document_transaction")
    await pool.query("CREATE TABLE articles (title text PRIMARY KEY, job text NOT NULL)")
    const options = { database: pool, tablePrefix: "verbatim_", media: newFolder() }
    const verbatim = await open({ ...options, transcribe: measuring })
    onTestFinished(async () => {
      await verbatim.close()
      await pool.end()
    })
    const job = await publish({ pool, verbatim }, { title: "Harbour", media })
    const { id, state } = await verbatim.wait(job).then((each) => ({ ...each, id: each.job.id }))
    assert.deepStrictEqual([id, state], [job.id, "completed"])
    // The second one breaks the key of the host's table.
    const again = await rejection(publish({ pool, verbatim }, { title: "Harbour", media }))
    assert.propertyVal(again, "code", "23505")
    assert.lengthOf((await verbatim.jobs.list({ workspace: "acme" })).jobs, 1)
  })

  it("shows a listener that takes each end once", async () => {
    const database = new DatabaseSync(":memory:")
    database.exec("CREATE TABLE told (id TEXT PRIMARY KEY, job TEXT, state TEXT)")
    const verbatim = await openFor({ finished: writeDown(database) })
    const { id } = await verbatim.transcribe({ media })
    while ((await verbatim.jobs.get({ id })).notice?.state !== "told") {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await writeDown(database)(await verbatim.jobs.get({ id }), {
      id: String(database.prepare("SELECT id FROM told").get()?.id),
      attempt: 2,
      signal: AbortSignal.timeout(1_000)
    })
    const rows = database.prepare("SELECT job, state FROM told").all()
    assert.deepStrictEqual(
      rows.map((row) => ({ ...row })),
      [{ job: id, state: "completed" }]
    )
  })

  it("shows what to do about errors", async () => {
    const verbatim = await openFor()
    const [absent, wrong] = await Promise.all([
      rejection(verbatim.jobs.get({ id: "none" })),
      rejection(verbatim.transcribe({ media: "nowhere.mp3" }))
    ])
    assert.instanceOf(absent, NotFound)
    assert.instanceOf(wrong, InvalidInput)
    await verbatim.close()
    const closed = await rejection(verbatim.jobs.list())
    assert.deepStrictEqual([absent, wrong, closed].map(statusOf), [404, 400, 503])
    assert.throws(() => statusOf(new TypeError("a fault of the host")), "a fault of the host")
  })

  it("shows a process that answers beside one that works", async () => {
    const folder = newFolder()
    const shared = { database: `sqlite:${join(folder, "app.db")}`, media: join(folder, "media") }
    const web = await openWeb(shared)
    const worker = await openWorker(shared, measuring)
    onTestFinished(async () => {
      await web.close()
      await worker.close()
    })
    assert.strictEqual((await web.wait(await web.transcribe({ media }))).state, "completed")
  })

  it("shows services over the client of a host", async () => {
    const pool = await newDatabase("document_client")
    const url = String(pool.options.connectionString)
    await pool.end()
    const work = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const preview = yield* (yield* Presets).preview({ model: "any/model" })
      const tables = yield* sql`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`
      return { preview, names: tables.map(({ tablename }) => String(tablename)) }
    })
    const { names, preview } = await Effect.runPromise(
      Effect.provide(work, services(url, newFolder()))
    )
    assert.deepStrictEqual(preview.config, { model: "any/model" })
    assert.include(names, "verbatim_jobs")
    assert.isTrue(names.every((name) => name.startsWith("verbatim_")))
  })
})
