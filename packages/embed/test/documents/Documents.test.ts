/** Tests that the programs in `docs/embed.md` do what the page says. */
import { createServer } from "node:http"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Presets } from "@verbatim/core/services"
import type { Verbatim } from "@verbatim/embed"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { onTestFinished, vi } from "vitest"
import {
  ended,
  listen,
  measuring,
  newDatabase,
  newFolder,
  newPool,
  newStore,
  openFor,
  recording,
  rejection
} from "../open/Opened.ts"
import { recogniseBy, summarise } from "./Engine.ts"
import { statusOf } from "./Failures.ts"
import { writeDown } from "./Finished.ts"
import { services } from "./HostClient.ts"
import { openWeb, openWorker } from "./Roles.ts"
import { openForTests } from "./Testing.ts"
import { publish } from "./Transaction.ts"

/** Starts a speech server that sends the same response to every request. */
const answering = (status: number, text: string): Promise<string> =>
  listen(
    createServer((request, response) => {
      request.resume().once("end", () => response.writeHead(status).end(text))
    })
  )

const hear = async (verbatim: Verbatim) => {
  const { id } = await verbatim.transcriptions.create({ path: recording, summary: "brief" })
  return ended(verbatim, id)
}

describe("the embedding page", () => {
  it("shows an engine, and how Verbatim handles each error that the engine throws", async () => {
    const hearing = recogniseBy(await answering(200, "Good morning."))
    const result = await hear(await openFor({ transcribe: hearing, summarize: summarise }))
    assert.strictEqual(result.summary, "brief: Good morning.")
    const refusing = recogniseBy(await answering(403, ""))
    const refused = await hear(await openFor({ transcribe: refusing }))
    assert.deepInclude(refused, { status: "FAILED", error: "The engine refused the work" })
  })

  it("shows how a program's tests get transcripts without ffmpeg or an engine", async () => {
    vi.stubEnv("PATH", "")
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const verbatim = await openForTests("Good morning.")
    onTestFinished(() => verbatim.close())
    const file = new File(["no sound"], "a.mp3")
    const { id } = await verbatim.transcriptions.create({ file, summary: "brief" })
    const job = await ended(verbatim, id)
    assert.deepInclude(job, { status: "COMPLETED", summary: "Good morning." })
    assert.strictEqual(job.output?.duration, "60")
  })

  it("shows a transaction that writes both a job and the host's row, or neither", async () => {
    const pool = await newPool("document_transaction")
    await pool.query("CREATE TABLE articles (title text PRIMARY KEY, job text NOT NULL)")
    const verbatim = await openFor({ database: pool, media: newFolder() })
    const acme = verbatim.as({ workspace: "acme" })
    const article = { title: "Harbour", path: recording }
    const id = await publish({ pool, acme }, article)
    assert.strictEqual((await ended(acme, id)).status, "COMPLETED")
    // The second write violates the key of the host's table.
    const again = await rejection(publish({ pool, acme }, article))
    assert.propertyVal(again, "code", "23505")
    assert.lengthOf((await acme.transcriptions.list()).data, 1)
  })

  it("shows a listener that records the end of each job only once", async () => {
    const database = new DatabaseSync(":memory:")
    database.exec("CREATE TABLE ended (id TEXT PRIMARY KEY, job TEXT, status TEXT)")
    const { promise, resolve } = Promise.withResolvers<void>()
    const take = writeDown(database)
    const verbatim = await openFor({
      onFinished: async (job, call) => {
        await take(job, call)
        await take(job, { ...call, attempt: 2 })
        resolve()
      }
    })
    const { id } = await verbatim.transcriptions.create({ path: recording })
    await promise
    const rows = database.prepare("SELECT job, status FROM ended").all()
    assert.deepStrictEqual(
      rows.map((row) => ({ ...row })),
      [{ job: id, status: "COMPLETED" }]
    )
  })

  it("shows how to handle each kind of error", async () => {
    const verbatim = await openFor()
    const faults = await Promise.all([
      rejection(verbatim.transcriptions.get("none")),
      rejection(verbatim.transcriptions.create({ path: "nowhere.mp3" }))
    ])
    await verbatim.close()
    const closed = await rejection(verbatim.transcriptions.list())
    assert.deepStrictEqual([...faults, closed].map(statusOf), [404, 400, 503])
    assert.throws(() => statusOf(new TypeError("a fault of the host")), "a fault of the host")
  })

  it("shows how one process handles requests while another does the work", async () => {
    const shared = newStore()
    const web = await openWeb(shared)
    const worker = await openWorker(shared, measuring)
    onTestFinished(async () => {
      await web.close()
      await worker.close()
    })
    assert.strictEqual((await hear(web)).status, "COMPLETED")
  })

  it("shows an Effect program that uses its own database client", async () => {
    const url = await newDatabase("document_client")
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
