/** The file, its schema and its rows. */

import { mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Migrations } from "@verbatim/adapters/sql"
import { layer, layerConfig, SqliteClient } from "@verbatim/adapters/sqlite"
import { JobStore, PresetStore, WorkQueue } from "@verbatim/core/ports"
import {
  creation,
  foundFirst,
  leaseToken,
  makeDraft,
  makeUploadJob,
  roomOf,
  upTo,
  whole
} from "@verbatim/testkit/samples"
import { Config, ConfigProvider, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { allMigrations, keepsEverything, namesUnreadableJob } from "../sql/KeptRows.ts"
import { newFile, withClient } from "./TemporaryDatabase.ts"

const permissionsOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe("the file of a SQLite database", () => {
  it.effect("is made for its owner alone, with its directory and the files beside it", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      yield* Layer.build(layer({ filename }))
      assert.strictEqual(permissionsOf(dirname(filename)), "700")
      for (const suffix of ["", "-wal", "-shm"]) {
        assert.strictEqual(permissionsOf(filename + suffix), "600")
      }
    })
  )

  it.effect("leaves the permissions of a directory that is there", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      mkdirSync(dirname(filename), { mode: 0o755 })
      yield* Layer.build(layer({ filename }))
      assert.strictEqual(permissionsOf(dirname(filename)), "755")
    })
  )

  it.effect("is named by the configuration", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      const configured = layerConfig({ filename: Config.String("DATABASE") }).pipe(
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ DATABASE: filename })))
      )
      yield* Layer.build(configured)
      assert.isTrue(statSync(filename).isFile())
    })
  )

  it.effect("keeps everything until it is opened again", () =>
    Effect.flatMap(newFile, (filename) => keepsEverything(layer({ filename })))
  )
})

describe("the schema of a SQLite database", () => {
  it.effect("is brought up to date once", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* Migrations.run, allMigrations)
      assert.deepStrictEqual(yield* Migrations.run, [])
    }).pipe(Effect.provide(SqliteClient.layer({ filename: ":memory:" })))
  )

  it.live("is brought up to date once by many that start together", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      mkdirSync(dirname(filename))
      const runs = yield* Effect.forEach(
        upTo(8),
        () =>
          Migrations.run.pipe(Effect.provide(SqliteClient.layer({ filename }), { local: true })),
        { concurrency: "unbounded" }
      )
      // Steps of several may take turns.
      const ended = runs.flat().toSorted(([one], [other]) => one - other)
      assert.deepStrictEqual(ended, allMigrations)
    })
  )
})

describe("a row of a SQLite database", () => {
  it.effect("that does not decode is a failure with its name", () =>
    namesUnreadableJob.pipe(Effect.provide(withClient(":memory:")))
  )

  it.effect("that does not decode does not hold up what is claimed with it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const jobs = yield* JobStore
      const queue = yield* WorkQueue
      yield* jobs.insert(creation(makeUploadJob(1)))
      yield* jobs.insert(creation(makeUploadJob(2)))
      yield* sql`UPDATE verbatim_jobs SET state = '{}' WHERE id = ${makeUploadJob(1).id}`
      yield* sql`UPDATE verbatim_work SET due_at = 0`
      const claim = (number: number) =>
        queue.claim({
          token: leaseToken(number),
          ...roomOf({ kinds: ["Transcribe"], limit: 2 })
        })
      assert.deepStrictEqual((yield* claim(1)).jobs, [makeUploadJob(2)])
      assert.deepStrictEqual((yield* claim(2)).jobs, [])
    }).pipe(Effect.provide(withClient(":memory:")))
  )

  it.effect("of an archived preset takes no version", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const presets = yield* PresetStore
      yield* foundFirst
      const { preset } = yield* presets.append(makeDraft(1))
      yield* sql`UPDATE verbatim_presets SET status = 'Archived'`
      const { reason } = yield* Effect.flip(presets.append(makeDraft(2)))
      assert.strictEqual(reason._tag, "Archived")
      assert.strictEqual((yield* presets.versions(preset.id, whole)).length, 1)
    }).pipe(Effect.provide(withClient(":memory:")))
  )
})
