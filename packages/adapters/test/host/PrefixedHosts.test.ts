/** A host's transaction over its own table `jobs`, beside jobs of the stores under a prefix. */

import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as Postgres from "@verbatim/adapters/postgres"
import * as Sqlite from "@verbatim/adapters/sqlite"
import { Effect, Layer, Redacted } from "effect"
import pg from "pg"
import { newSchema } from "../postgres/TemporarySchema.ts"
import { newFile } from "../sqlite/TemporaryDatabase.ts"
import { addVersion, servicesOver, submitUrl } from "./World.ts"

const tablePrefix = "vb_"

const counting = `SELECT (SELECT count(*) FROM jobs) AS theirs,
  (SELECT count(*) FROM vb_jobs) AS ours, (SELECT count(*) FROM vb_presets) AS presets`

/** A job and a preset, as the host writes them beside its own row. */
const both = Effect.andThen(submitUrl("one"), addVersion("one", "one"))

describe("a transaction of a host beside its own tables", () => {
  it.live("commits and rolls back jobs and presets on SQLite", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      mkdirSync(dirname(filename))
      const host = yield* Effect.acquireRelease(
        Effect.sync(() => new DatabaseSync(filename)),
        (database) => Effect.sync(() => database.close())
      )
      host.exec("CREATE TABLE jobs (note TEXT)")
      const stores = Sqlite.layer({ filename, tablePrefix })
      const context = yield* Layer.build(servicesOver(Layer.fresh(stores)))
      const ends = [
        ["ROLLBACK", 0],
        ["COMMIT", 1]
      ] as const
      for (const [end, count] of ends) {
        host.exec("BEGIN; INSERT INTO jobs VALUES ('own')")
        yield* Sqlite.within(host)(both).pipe(Effect.provide(context))
        host.exec(end)
        const found = Object.values(host.prepare(counting).get() ?? {})
        assert.deepStrictEqual(found, [count, count, count], end)
      }
    })
  )

  it.live("commits and rolls back jobs and presets on Postgres", () =>
    Effect.gen(function* () {
      const config = yield* newSchema
      const host = yield* Effect.acquireRelease(
        Effect.sync(() => new pg.Client({ connectionString: Redacted.value(config.url) })),
        (client) => Effect.promise(() => client.end())
      )
      yield* Effect.promise(() => host.connect())
      const run = (text: string) => Effect.promise(() => host.query(text))
      yield* run(`CREATE SCHEMA ${config.schema}`)
      yield* run(`SET search_path = ${config.schema}`)
      yield* run("CREATE TABLE jobs (note TEXT)")
      const stores = Postgres.layer({ ...config, tablePrefix })
      const context = yield* Layer.build(servicesOver(Layer.fresh(stores)))
      const ends = [
        ["ROLLBACK", "0"],
        ["COMMIT", "1"]
      ] as const
      for (const [end, count] of ends) {
        yield* run("BEGIN")
        yield* run("INSERT INTO jobs VALUES ('own')")
        yield* Postgres.within(host)(both).pipe(Effect.provide(context))
        yield* run(end)
        const { rows } = yield* run(counting)
        assert.deepStrictEqual(rows, [{ theirs: count, ours: count, presets: count }], end)
      }
    })
  )
})
