/**
 * Tests with real problems which reasons a process reports for not being ready: a full file system,
 * an unreachable engine or bucket, and missing migrations. Processes with and without the API are
 * tested.
 */
import { spawnSync } from "node:child_process"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { findFreePort } from "@verbatim/testkit/servers"
import { assert, describe, it } from "vitest"
import { isMountable, withFileSystem } from "./FileSystems.ts"
import { dataDirectory, ServerProcess, type Settings } from "./ServerProcess.ts"

interface Told {
  readonly status: number
  readonly reasons: ReadonlyArray<string>
}

const look = async (server: ServerProcess): Promise<Told> => {
  const answer = await server.request("/health/ready")
  const { reasons } = (await answer.json()) as { readonly reasons: ReadonlyArray<string> }
  return { status: answer.status, reasons }
}

/** Waits until this reason is reported. If that never happens, the test times out. */
const untilReported = async (server: ServerProcess, reason: string): Promise<Told> => {
  for (;;) {
    const report = await look(server)
    if (report.reasons.some((each) => each.startsWith(reason))) return report
    await sleep(50)
  }
}

const untilReady = async (server: ServerProcess): Promise<void> => {
  while ((await look(server)).status !== 200) await sleep(50)
}

/** An address without a listener. */
const deserted = async (): Promise<string> => `http://127.0.0.1:${await findFreePort()}`

/**
 * Starts a process with only the `worker` role, on a database that a process with the API has
 * created.
 */
const startWorker = (directory: string, settings: Settings = {}) =>
  ServerProcess.start(directory, { VERBATIM_ROLES: "worker", ...settings })

describe("a process with only the worker role", () => {
  it("prints the address of its health checks, and serves nothing else there", async () => {
    await using data = await dataDirectory()
    await using worker = await startWorker(data.path, { VERBATIM_HEALTH_PORT: "0" })
    await untilReady(worker)
    const health = await worker.request("/health")
    const { ready, reasons, worker: work } = (await health.json()) as Record<string, unknown>
    assert.deepStrictEqual([health.status, ready, reasons], [200, true, []])
    assert.property(work, "running")
    for (const path of ["/v1/transcriptions", "/v1/presets", "/docs", "/", "/health/other"]) {
      assert.strictEqual((await worker.request(path)).status, 404, path)
    }
    assert.strictEqual((await worker.request("/health", { method: "POST" })).status, 404)
    assert.strictEqual(await worker.end("SIGTERM"), 0)
  })

  it("uses the default port only if it is free, so that a second process can start", async () => {
    await using data = await dataDirectory()
    // This worker uses the default port, unless another program already does.
    await using first = await startWorker(data.path)
    await using second = await startWorker(data.path)
    assert.notStrictEqual(first.address, second.address)
    await untilReady(second)
    const port = new URL(second.address).port
    const named = startWorker(data.path, { VERBATIM_HEALTH_PORT: port })
    const refusal = await named.then(String, String)
    const taken = `Cannot listen on 127.0.0.1:${port}: another program is listening there. `
    assert.include(refusal, `${taken}Choose another port with VERBATIM_HEALTH_PORT.`)
  })
})

describe("a process whose engine has no server", () => {
  it("is not ready and reports the reason after a job failed to reach that server", async () => {
    await using data = await dataDirectory()
    await using server = await ServerProcess.start(data.path, {
      VERBATIM_TRANSCRIBER: "openai",
      VERBATIM_OPENAI_BASE_URL: await deserted()
    })
    await untilReady(server)
    await server.upload({})
    const report = await untilReported(server, "The worker cannot use the speech engine.")
    assert.strictEqual(report.status, 503)
  })
})

describe("a process whose bucket has no server", () => {
  it("starts, is not ready, and reports the reason", async () => {
    await using data = await dataDirectory()
    await using server = await ServerProcess.start(data.path, {
      VERBATIM_MEDIA_URL: "s3://verbatim",
      VERBATIM_S3_ENDPOINT: await deserted(),
      VERBATIM_S3_ACCESS_KEY_ID: "id",
      VERBATIM_S3_SECRET_ACCESS_KEY: "secret"
    })
    const reason =
      "The media store cannot be reached, so it is unknown whether media is in its place."
    assert.strictEqual((await untilReported(server, reason)).status, 503)
    assert.strictEqual((await server.request("/health")).status, 200)
  })
})

describe("a process that uses a database", () => {
  it("is not ready, and names a missing migration, until it is applied", async () => {
    await using data = await dataDirectory()
    await using server = await ServerProcess.start(data.path)
    await untilReady(server)
    using database = new DatabaseSync(join(data.path, "verbatim.db"), { timeout: 5_000 })
    database.exec("CREATE TABLE kept AS SELECT * FROM verbatim_migrations")
    database.exec("DELETE FROM verbatim_migrations")
    const reason = "Migrations are missing in the database: 0001_schema_"
    assert.strictEqual((await untilReported(server, reason)).status, 503)
    database.exec("INSERT INTO verbatim_migrations SELECT * FROM kept")
    await untilReady(server)
  })
})

const mebibyte = 1_048_576

describe("a process that uses a full disk", () => {
  it.skipIf(!isMountable)("is not ready until the disk has space again", async () => {
    await using data = await dataDirectory()
    await using server = await ServerProcess.start(
      data.path,
      {},
      "/",
      withFileSystem(data.path, 48)
    )
    await untilReady(server)
    // The path of the folder in the namespace of the process.
    const inside = join("/proc", String(server.child.pid), "root", data.path)
    assert.isTrue(existsSync(join(inside, "verbatim.db")))
    const filler = join(inside, "filler")
    try {
      writeFileSync(filler, Buffer.alloc(60 * mebibyte))
    } catch {
      // Fills up the disk.
    }
    const unwritable = "The media store is not writable: its disk may be full or read-only."
    const report = await untilReported(server, unwritable)
    assert.strictEqual(report.status, 503)
    for (const what of ["the database", "media", "temporary audio"]) {
      // The disk of each folder is checked separately.
      await untilReported(server, `The disk of ${what} has only `)
    }
    assert.strictEqual((await server.request("/health")).status, 200)
    const refused = await server.request("/v1/transcribe", { method: "POST", body: upload() })
    assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [500, "10"])
    spawnSync("rm", [filler])
    await untilReady(server)
    const accepted = await server.request("/v1/transcribe", { method: "POST", body: upload() })
    assert.strictEqual(accepted.status, 200)
  })
})

const upload = () => {
  const form = new FormData()
  form.set("file", new File([new Uint8Array(200_000)], "a.mp3"))
  return form
}
