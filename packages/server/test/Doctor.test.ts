/** Tests that `verbatim doctor` reports real problems and changes nothing. */
import { chmod, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { BucketServer, launch, type PostgresServer } from "@verbatim/testkit/servers"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { isMountable, withFileSystem } from "./FileSystems.ts"
import { operateInProcess } from "./operateInProcess.ts"
import { dataDirectory, operate, ServerProcess, type Settings } from "./ServerProcess.ts"

interface Finding {
  readonly verdict: "ok" | "warning" | "failed"
  readonly what: string
  readonly why: string
}

const secret = "correct-horse-battery-staple"

/** Runs the command and returns its findings. The exit status shows whether a check failed. */
const examine = async (
  directory: string,
  settings: Settings = {},
  before: ReadonlyArray<string> = []
): Promise<ReadonlyArray<Finding>> => {
  const run = await (before.length === 0 ? operateInProcess : operate)(
    directory,
    ["doctor", "--json"],
    settings,
    before
  )
  const report = JSON.parse(run.stdout)
  const isWell = report.findings.every(({ verdict }: Finding) => verdict !== "failed")
  assert.deepStrictEqual([report.ok, run.status], [isWell, isWell ? 0 : 1], run.stderr)
  assert.notInclude(run.stdout + run.stderr, secret)
  assert.notMatch(run.stdout + run.stderr, / at .*\.[jt]s|\n\s+at /)
  return report.findings
}

const find = (findings: ReadonlyArray<Finding>, what: string) =>
  findings
    .filter((finding) => finding.what === what)
    .map(({ verdict, why }) => `${verdict}: ${why}`)

/** A folder where a server has run. */
const founded = async (settings: Settings = {}) => {
  const data = await dataDirectory()
  const server = await ServerProcess.start(data.path, { VERBATIM_ROLES: "http", ...settings })
  await server.request("/health/ready")
  await server.end("SIGTERM")
  return data
}

describe("verbatim doctor", () => {
  it("reports a missing store without creating one", async () => {
    await using data = await dataDirectory()
    const findings = await examine(data.path)
    const missing = `there is no store in ${data.path}/verbatim.db yet; the server creates it`
    assert.deepStrictEqual(find(findings, "database"), [`warning: ${missing} when it starts`])
    assert.deepStrictEqual(await readdir(data.path), [])
  })

  it("prints one line per check, and finds no problem while a server runs well", async () => {
    await using data = await dataDirectory()
    await using server = await ServerProcess.start(data.path, { VERBATIM_ROLES: "http" })
    assert.strictEqual((await server.request("/health/ready")).status, 200)
    const files = await readdir(data.path, { recursive: true })
    const { status, stdout } = await operate(data.path, ["doctor"], { VERBATIM_ROLES: "http" })
    const lines = stdout.trim().split("\n")
    for (const line of lines) assert.match(line, /^(?:ok {5}|warning|failed ) {2}[a-z ]+ {2,}\S/)
    assert.strictEqual(status, 0)
    const findings = await examine(data.path, { VERBATIM_ROLES: "http" })
    assert.strictEqual(findings.length, lines.length)
    for (const what of ["database", "migrations", "writes", "privacy", "disks"]) {
      assert.match(find(findings, what).join(), /^ok: /, what)
    }
    assert.match(find(findings, "media").join(), /^ok: this user may write to /)
    assert.deepStrictEqual(find(findings, "marker"), [
      "ok: the media store belongs to the database"
    ])
    assert.deepStrictEqual(await readdir(data.path, { recursive: true }), files)
  })

  it("names invalid, misspelt and probably wrong settings", async () => {
    await using data = await dataDirectory()
    const settings = {
      VERBATIM_PORT: "many",
      VERBATIM_WEBHOOK_SECRET: secret,
      VERBATIM_PROT: "1"
    }
    // Misspelt names are found only in the environment of the process itself.
    const wrong = await examine(data.path, settings, ["env"])
    assert.match(
      find(wrong, "settings").join("; "),
      /failed: VERBATIM_PORT must be a whole number from 0 to 65535\./
    )
    assert.include(find(wrong, "settings").join("; "), "Did you mean VERBATIM_PORT?")
    const doubtful = await examine(data.path, {
      VERBATIM_ALLOW_NETWORKS: "0.0.0.0/0",
      VERBATIM_DATABASE_URL: "memory:",
      VERBATIM_TEMPLATES: join(data.path, "none.json")
    })
    const report = find(doubtful, "settings").join("; ")
    assert.include(report, "warning: VERBATIM_DATABASE_URL is memory")
    assert.include(report, "warning: VERBATIM_ALLOW_NETWORKS contains all addresses")
    assert.match(find(doubtful, "templates").join(), /^failed: .*it cannot be read/)
  })

  it("tells a missing media folder from one that belongs to another database", async () => {
    await using data = await founded()
    const media = join(data.path, "media")
    await rename(media, `${media}.old`)
    const missing = find(await examine(data.path), "media").join()
    assert.strictEqual(missing, `failed: the folder ${media} is missing: mount it or restore it`)
    await mkdir(media)
    const unmarked = find(await examine(data.path), "marker").join()
    assert.match(unmarked, /^failed: The media store has no marker, although the database has one/)
    await writeFile(join(media, ".verbatim-media"), "another")
    const foreign = find(await examine(data.path), "marker").join()
    assert.match(foreign, /^failed: The media store belongs to another database/)
    assert.deepStrictEqual(await readdir(media), [".verbatim-media"])
  })

  it("reports missing migrations, and a database from a newer version", async () => {
    await using data = await founded()
    const file = join(data.path, "verbatim.db")
    using database = new DatabaseSync(file)
    database.exec("DELETE FROM verbatim_migrations WHERE migration_id = 1")
    const missing = find(await examine(data.path), "migrations").join()
    assert.match(
      missing,
      /^warning: missing: 0001_schema_\w+; the next start or `verbatim migrate`/
    )
    database.exec("INSERT INTO verbatim_migrations VALUES (9999, 'newer', 1, 9999, 0)")
    const newer = find(await examine(data.path), "migrations").join()
    assert.match(newer, /^failed: The database belongs to a newer version of Verbatim/)
  })

  it("reports a database file that others can read, or that is locked or invalid", async () => {
    await using data = await founded()
    const file = join(data.path, "verbatim.db")
    await chmod(file, 0o644)
    assert.match(find(await examine(data.path), "privacy").join(), /^warning: other users can read/)
    {
      using other = new DatabaseSync(file)
      other.exec("BEGIN IMMEDIATE")
      const locked = find(await examine(data.path), "writes").join()
      assert.strictEqual(
        locked,
        "failed: another program has held the write lock for over 3s: stop it"
      )
      other.exec("ROLLBACK")
    }
    for (const end of ["", "-wal", "-shm"]) await rm(`${file}${end}`, { force: true })
    await writeFile(file, "this is not a database".repeat(100))
    const none = find(await examine(data.path), "database").join()
    assert.match(none, /^failed: .* it is not an SQLite database/)
  })

  it("reports engines that are not ready, if the process has a worker", async () => {
    await using data = await dataDirectory()
    const alone = await examine(data.path, { VERBATIM_TRANSCRIBER: "openai" })
    assert.match(find(alone, "engine").join(), /^failed: OpenAI needs a key/)
    const ready = await examine(data.path, {
      VERBATIM_TRANSCRIBER: "whisper,openai",
      VERBATIM_OPENAI_API_KEY: secret,
      VERBATIM_CACHE_DIR: data.path
    })
    assert.match(find(ready, "engine").join(), /^ok: /)
    assert.match(find(ready, "model").join(), /^ok: parakeet-110m is best for English with /)
    assert.isEmpty(find(alone, "model"))
    const missing = await examine(data.path, { VERBATIM_CACHE_DIR: data.path })
    assert.match(find(missing, "engine").join(), /^warning: .* uses PocketSphinx, which is /)
    assert.isEmpty(find(await examine(data.path, { VERBATIM_ROLES: "http" }), "engine"))
  })

  it.skipIf(!isMountable)("reports a full disk", async () => {
    await using data = await dataDirectory()
    const findings = await examine(data.path, {}, withFileSystem(data.path, 2))
    assert.match(
      find(findings, "disks").join(),
      /^failed: The disk of the database has only [12] MB free \(16 MB needed\)/
    )
  })

  it("reports the results of all other checks if one check hangs", async () => {
    await using data = await dataDirectory()
    const server = createServer(() => undefined)
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
    const address = server.address()
    const port = address !== null && typeof address === "object" ? address.port : 0
    const findings = await examine(data.path, {
      VERBATIM_DATABASE_URL: `postgres://user:${secret}@127.0.0.1:${port}/none`,
      VERBATIM_DATABASE_CONNECT_SECONDS: "60",
      VERBATIM_DATABASE_STATEMENT_SECONDS: "20"
    })
    server.close()
    assert.deepStrictEqual(find(findings, "database"), ["failed: no answer within 10s"])
    assert.match(find(findings, "disks").join(), /^ok: /)
  })
})

describe("verbatim doctor with a bucket", () => {
  const bucketSettings = (endpoint: string): Settings => ({
    VERBATIM_MEDIA_URL: "s3://verbatim-doctor/jobs",
    VERBATIM_S3_ENDPOINT: endpoint,
    VERBATIM_S3_ACCESS_KEY_ID: "VERBATIM",
    VERBATIM_S3_SECRET_ACCESS_KEY: secret
  })

  it("reports whether a bucket works, refuses requests or does not respond", async () => {
    const account = { accessKeyId: "VERBATIM", secretAccessKey: secret }
    await using kept = await dataDirectory()
    const server = new BucketServer("verbatim-doctor", kept.path, account)
    const endpoint = `http://127.0.0.1:${await server.listen()}`
    const settings = bucketSettings(endpoint)
    await using data = await founded(settings)
    const well = await examine(data.path, settings)
    const reached = "ok: writable: the bucket verbatim-doctor"
    assert.deepStrictEqual(find(well, "media"), [reached])
    assert.deepStrictEqual(find(well, "marker"), ["ok: the media store belongs to the database"])
    const refused = await examine(data.path, { ...settings, VERBATIM_S3_ACCESS_KEY_ID: "OTHER" })
    assert.match(
      find(refused, "media").join(),
      /^failed: the bucket verbatim-doctor cannot be used/
    )
    await server.close()
    const silent = await examine(data.path, settings)
    assert.match(find(silent, "media").join(), /^failed: the bucket verbatim-doctor cannot be used/)
  })
})

describe("verbatim doctor with Postgres", () => {
  let postgres: PostgresServer

  beforeAll(async () => {
    postgres = await launch()
  })

  afterAll(() => postgres.remove())

  it("reports the schema, durability, sessions and clock of the database", async () => {
    const settings = { VERBATIM_DATABASE_URL: postgres.url }
    await using empty = await dataDirectory()
    const before = find(await examine(empty.path, settings), "database").join()
    assert.match(before, /^warning: there is no store in .* yet/)
    await using data = await founded(settings)
    const findings = await examine(data.path, settings)
    for (const what of ["database", "migrations", "writes", "sessions", "clock"]) {
      assert.match(find(findings, what).join(), /^ok: /, what)
    }
    // The test servers run without fsync.
    assert.match(
      find(findings, "durability").join(),
      /^failed: a crash of the server loses jobs: turn on fsync/
    )
    const wrong = new URL(postgres.url)
    wrong.pathname = "/nowhere"
    const report = find(await examine(data.path, { VERBATIM_DATABASE_URL: wrong.href }), "database")
    assert.match(report.join(), /^failed: .*no database of that name/)
  })
})
