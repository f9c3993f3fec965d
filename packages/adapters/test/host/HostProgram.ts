/**
 * A host in a process of its own, to be killed: `node HostProgram.ts <json>`. Each of its
 * transactions writes a row of its own, a job and a version under one name; every third is rolled
 * back. It says a line before each transaction, and one after the end of each.
 */
import { writeSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as Postgres from "@verbatim/adapters/postgres"
import * as Sqlite from "@verbatim/adapters/sqlite"
import { Effect, Redacted } from "effect"
import pg from "pg"
import { addVersion, servicesOver, submitUrl } from "./World.ts"

/** Where the host and the stores are, and the transactions that it makes. */
export interface Task {
  readonly kind: "Postgres" | "SQLite"
  readonly place: string
  readonly schema?: string
  readonly from: number
  readonly count: number
}

/** Every third transaction is rolled back. */
export const isUndone = (number: number): boolean => number % 3 === 0

const say = (line: string) => writeSync(1, `${line}\n`)

const slug = "shared"

const write = (number: number) =>
  Effect.andThen(submitUrl(`n${number}`), addVersion(slug, `n${number}`))

const endOf = (number: number) => (isUndone(number) ? "ROLLBACK" : "COMMIT")

const runSqlite = ({ count, from, place }: Task) =>
  Effect.gen(function* () {
    const host = new DatabaseSync(place)
    for (let number = from; number < from + count; number++) {
      say(`begun ${number}`)
      host.exec("BEGIN IMMEDIATE")
      host.prepare("INSERT INTO own VALUES (?)").run(`n${number}`)
      yield* Sqlite.within(host)(write(number))
      host.exec(endOf(number))
      say(`ended ${number}`)
    }
  }).pipe(Effect.provide(servicesOver(Sqlite.layer({ filename: place }))))

const runPostgres = ({ count, from, place, schema = "" }: Task) =>
  Effect.gen(function* () {
    const pool = new pg.Pool({ connectionString: place, max: 1 })
    const host = yield* Effect.promise(() => pool.connect())
    const run = (text: string, values: Array<unknown> = []) =>
      Effect.promise(() => host.query(text, values))
    for (let number = from; number < from + count; number++) {
      say(`begun ${number}`)
      yield* run("BEGIN")
      yield* run(`INSERT INTO public.own_${schema} VALUES ($1)`, [`n${number}`])
      yield* Postgres.within(host)(write(number))
      yield* run(endOf(number))
      say(`ended ${number}`)
    }
    host.release()
    yield* Effect.promise(() => pool.end())
  }).pipe(Effect.provide(servicesOver(Postgres.layer({ url: Redacted.make(place), schema }))))

const [task] = process.argv.slice(2)
if (import.meta.main && task !== undefined) {
  const read: Task = JSON.parse(task)
  await Effect.runPromise(
    Effect.scoped(read.kind === "SQLite" ? runSqlite(read) : runPostgres(read))
  )
}
