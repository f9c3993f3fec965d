/**
 * Tests several processes that share one Postgres: one accepts a job, and another does the work.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { PostgresClient } from "@verbatim/adapters/postgres"
import { launch, type PostgresServer } from "@verbatim/testkit/servers"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataDirectory, operate, ServerProcess } from "./ServerProcess.ts"

let postgres: PostgresServer

beforeAll(async () => {
  postgres = await launch()
})

afterAll(() => postgres.remove())

/** Creates an empty database on the server. */
const newDatabase = async (name: string): Promise<string> => {
  const client = PostgresClient.layer({ url: Redacted.make(postgres.url), maxConnections: 1 })
  const created = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE DATABASE ${sql(name)}`)
  await Effect.runPromise(Effect.provide(created, client))
  const url = new URL(postgres.url)
  url.pathname = `/${name}`
  return url.href
}

/**
 * Starts a media server that signals when a worker downloads a file. Before that, the process that
 * accepts the job requests only the headers.
 */
const startSource = async () => {
  const accepted = new Set<string>()
  const fetched = new Set<string>()
  const server = createServer((request, response) => {
    const path = request.url ?? ""
    if (accepted.has(path)) fetched.add(path)
    accepted.add(path)
    response.writeHead(200, { "content-type": "audio/mpeg" }).end("no sound")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    fetched,
    [Symbol.asyncDispose]: async () => void server.close()
  }
}

const submit = async (server: ServerProcess, url: string) => {
  const job = await server.json("/v1/transcribe", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url })
  })
  assert.isString(job.id, JSON.stringify(job))
}

const waitFor = async (is: () => boolean | Promise<boolean>) => {
  while (!(await is())) await sleep(5)
}

const statusOf = async (server: ServerProcess, path: string) => {
  const response = await server.request(path)
  const { store } = (await response.json()) as { readonly store: string }
  return [response.status, store]
}

describe("processes over one Postgres", () => {
  it("run jobs that another process accepted, and list pending jobs", async () => {
    await using directory = await dataDirectory()
    await using source = await startSource()
    // This test needs its own database, because a database belongs to one media directory.
    const settings = { VERBATIM_DATABASE_URL: await newDatabase("shared") }
    const list = async () => (await operate(directory.path, ["workers"], settings)).stdout
    assert.strictEqual(await list(), "")
    await using http = await ServerProcess.start(directory.path, {
      ...settings,
      VERBATIM_ROLES: "http"
    })
    assert.match(
      await list(),
      /^No workers\.\nNo pending work\.\nJobs since \S+:00:00\.000Z: 0 completed, 0 failed\n$/
    )
    await submit(http, `${source.url}/1.mp3`)
    const waiting = await list()
    assert.match(waiting, /^No workers\.\nPending work\n {2}Fetch +1 due {2}0 running/)
    assert.include(waiting, `\n    from ${source.url}  workspace `)
    await using worker = await ServerProcess.start(directory.path, settings)
    await waitFor(() => source.fetched.has("/1.mp3"))
    for (const path of ["/2.mp3", "/3.mp3"]) {
      await submit(http, source.url + path)
      await waitFor(() => source.fetched.has(path))
    }
    const shown = await list()
    const line =
      /^Workers\n {2}alive {3}\S+ \d+ \(\S+\) {2}up (?:\d+m )?\d+s {2}.+ when seen \d+s ago/
    assert.match(shown, line)
    assert.include(shown, ` ${worker.child.pid} (`)
    await worker.end("SIGTERM")
    assert.match(await list(), /^No workers\./)
  })

  it("report an unavailable database, and resume when it is available again", async () => {
    await using directory = await dataDirectory()
    await using source = await startSource()
    await using server = await ServerProcess.start(directory.path, {
      VERBATIM_DATABASE_URL: postgres.url,
      VERBATIM_DATABASE_CONNECTIONS: "4"
    })
    assert.deepStrictEqual(await statusOf(server, "/health"), [200, "up"])
    await postgres.stop("immediate")
    assert.deepStrictEqual(await statusOf(server, "/health"), [503, "down"])
    assert.deepStrictEqual(await statusOf(server, "/health/ready"), [503, "down"])
    const refused = await server.request("/v1/transcribe", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: `${source.url}/1.mp3` })
    })
    assert.isAtLeast(refused.status, 500)
    await postgres.start()
    await waitFor(async () => (await statusOf(server, "/health"))[0] === 200)
    await submit(server, `${source.url}/2.mp3`)
    await waitFor(() => source.fetched.has("/2.mp3"))
    assert.isFalse(source.fetched.has("/1.mp3"))
  })

  it("are not ready if their sessions are read-only, and explain what to do", async () => {
    await using directory = await dataDirectory()
    const settings = {
      VERBATIM_DATABASE_URL: await newDatabase("read_only"),
      VERBATIM_ROLES: "http"
    }
    await using server = await ServerProcess.start(directory.path, settings)
    const doctor = async () => (await operate(directory.path, ["doctor"], settings)).stdout
    assert.match(await doctor(), /^ok +writes +the database is neither locked nor read-only$/m)
    const change = async (what: string) => {
      const client = PostgresClient.layer({ url: Redacted.make(postgres.url), maxConnections: 1 })
      const changed = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`SET default_transaction_read_only = off`
        yield* sql`ALTER ROLE CURRENT_USER ${sql.literal(what)}`
        // Existing sessions keep the settings with which they were opened.
        yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = 'read_only'`
      })
      await Effect.runPromise(Effect.provide(changed, client))
    }
    await change("SET default_transaction_read_only = on")
    try {
      await waitFor(async () => (await statusOf(server, "/health"))[1] === "read_only")
      const ready = await server.request("/health/ready")
      const { reasons } = (await ready.json()) as { readonly reasons: ReadonlyArray<string> }
      assert.strictEqual(ready.status, 503)
      assert.match(reasons.join(), /accepts no writes.*default_transaction_read_only/)
      assert.match(
        await doctor(),
        /^failed +writes +default_transaction_read_only is on for this role: turn it off$/m
      )
    } finally {
      await change("RESET default_transaction_read_only")
    }
    await waitFor(async () => (await statusOf(server, "/health/ready"))[0] === 200)
  })
})
