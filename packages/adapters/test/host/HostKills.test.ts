/**
 * Hosts that are killed in the middle of their transactions: all of each is there, or nothing.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Postgres from "@verbatim/adapters/postgres"
import * as Sqlite from "@verbatim/adapters/sqlite"
import { scaleRuns } from "@verbatim/testkit/laws"
import { Effect, Layer, Redacted, type Scope } from "effect"
import * as fc from "fast-check"
import pg from "pg"
import { newSchema } from "../postgres/TemporarySchema.ts"
import { newFile } from "../sqlite/TemporaryDatabase.ts"
import { isUndone, type Task } from "./HostProgram.ts"

const program = fileURLToPath(new URL("./HostProgram.ts", import.meta.url))

const flags = ["--conditions=@verbatim/source", "--disable-warning=ExperimentalWarning"]

/** Transactions of `npm test` on each database. */
const usual = 10

/** One life makes at most so many, and is killed in one of them. */
const lifeMax = 20

/** A transaction takes some milliseconds: the kill comes anywhere in it, or after it. */
const delayMax = 12

/** The names that each table knows: of the host, of jobs, of work, of versions. */
type Tables = readonly [own: Names, jobs: Names, work: Names, versions: Names]
type Names = ReadonlyArray<string>

interface Deployment {
  readonly task: Omit<Task, "count" | "from">
  readonly read: Effect.Effect<Tables>
}

const selects = (own: string, place = "") => [
  `SELECT name FROM ${own}`,
  `SELECT key AS name FROM ${place}verbatim_idempotency_keys JOIN ${place}verbatim_jobs
    ON verbatim_jobs.id = job_id`,
  `SELECT key AS name FROM ${place}verbatim_idempotency_keys 
    JOIN ${place}verbatim_work USING (job_id)`,
  `SELECT key AS name FROM ${place}verbatim_preset_keys
    JOIN ${place}verbatim_preset_versions ON verbatim_preset_versions.id = version_id`
]

const toTables = (found: ReadonlyArray<ReadonlyArray<unknown>>): Tables =>
  found.map((rows) => rows.map((row) => (row as { readonly name: string }).name).sort()) as never

const onSqlite: Effect.Effect<Deployment, unknown, Scope.Scope> = Effect.gen(function* () {
  const place = yield* newFile
  yield* Effect.scoped(Layer.build(Layer.fresh(Sqlite.layer({ filename: place }))))
  const open = Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(place, { timeout: 5_000 })),
    (database) => Effect.sync(() => database.close())
  )
  yield* Effect.scoped(
    Effect.map(open, (database) => database.exec("CREATE TABLE own (name TEXT)"))
  )
  const read = Effect.scoped(
    Effect.map(open, (database) =>
      toTables(selects("own").map((select) => database.prepare(select).all()))
    )
  )
  return { task: { kind: "SQLite", place }, read }
})

const onPostgres: Effect.Effect<Deployment, unknown, Scope.Scope> = Effect.gen(function* () {
  const config = yield* newSchema
  const { schema } = config
  const place = Redacted.value(config.url)
  yield* Effect.scoped(Layer.build(Layer.fresh(Postgres.layer(config))))
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => new pg.Pool({ connectionString: place })),
    (opened) => Effect.promise(() => opened.end())
  )
  const own = `public.own_${schema}`
  yield* Effect.promise(() => pool.query(`CREATE TABLE ${own} (name TEXT)`))
  const read = Effect.promise(async () => {
    // The sessions of a process that was killed may still be ending.
    const others = `SELECT 1 FROM pg_stat_activity WHERE pid <> pg_backend_pid()
      AND datname = current_database() AND state <> 'idle' AND backend_type = 'client backend'`
    while ((await pool.query(others)).rows.length > 0) await sleep(5)
    const found = []
    for (const select of selects(own, `${schema}.`)) found.push((await pool.query(select)).rows)
    return toTables(found)
  })
  return { task: { kind: "Postgres", place, schema }, read }
})

/** One life of the host: it is killed in its transaction `doomed`, so many milliseconds in. */
const live = (task: Task, doomed: number, delay: number) =>
  Effect.promise(async () => {
    const child = spawn(process.execPath, [...flags, program, JSON.stringify(task)], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    const gone = once(child, "exit")
    let begun = task.from - 1
    const ended = new Set<number>()
    for await (const line of createInterface({ input: child.stdout })) {
      const [what, number] = line.split(" ")
      if (what === "ended") ended.add(Number(number))
      else begun = Number(number)
      if (what === "begun" && begun === doomed) {
        if (delay > 0) await sleep(delay)
        child.kill("SIGKILL")
      }
    }
    await gone
    return { begun, ended }
  })

const survivesKills = (opened: Effect.Effect<Deployment, unknown, Scope.Scope>) =>
  Effect.gen(function* () {
    const { read, task } = yield* opened
    const total = scaleRuns(usual)
    const ended = new Set<number>()
    let kills = 0
    let torn = 0
    for (let from = 1; from <= total; ) {
      const count = Math.min(lifeMax, total - from + 1)
      const [lived = 0] = fc.sample(fc.integer({ min: 0, max: count - 1 }), 1)
      const [delay = 0] = fc.sample(fc.integer({ min: 0, max: delayMax }), 1)
      const life = yield* live({ ...task, from, count }, from + lived, delay)
      assert.isAtLeast(life.begun, from, "the host got to its work")
      kills += 1
      if (!life.ended.has(life.begun)) torn += 1
      for (const number of life.ended) ended.add(number)
      const [own, ...others] = yield* read
      for (const names of others) assert.deepStrictEqual(names, own, `after life ${kills}`)
      const there = new Set(own)
      for (const number of ended) {
        assert.strictEqual(there.has(`n${number}`), !isUndone(number), `transaction ${number}`)
      }
      from = life.begun + 1
    }
    const [own] = yield* read
    assert.isEmpty(
      own.filter((name) => isUndone(Number(name.slice(1)))),
      "none that was rolled back"
    )
    yield* Effect.log(
      `${total} transactions in ${kills} lives, ${torn} of them killed before an answer; ` +
        `${own.length} were kept`
    )
  })

// A life takes two seconds on a busy machine.
const timeout = 1_800_000

describe("a host that is killed in its transactions", () => {
  it.live("keeps all of each or nothing on SQLite", () => survivesKills(onSqlite), { timeout })
  it.live("keeps all of each or nothing on Postgres", () => survivesKills(onPostgres), { timeout })
})
