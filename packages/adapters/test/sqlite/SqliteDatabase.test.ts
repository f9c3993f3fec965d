/** The file, its schema and its rows. */

import { mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Migrations } from "@verbatim/adapters/sql"
import { layer, SqliteClient } from "@verbatim/adapters/sqlite"
import { foundFirst } from "@verbatim/testkit/samples"
import { Effect, Layer } from "effect"
import { expectedSeries, movedSeries } from "../sql/Counting.ts"
import { forgetsDeletionsAloud, forgetsDeletionsToCome } from "../sql/Deletions.ts"
import {
  allMigrations,
  keepsEverything,
  keepsPeaksAsBytes,
  namesUnreadableJob,
  revisesAllOrNothing,
  sumsUpPresets
} from "../sql/KeptRows.ts"
import { newFile, onFile, withClient } from "./TemporaryDatabase.ts"

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
})

describe("a row of a SQLite database", () => {
  it.effect("of a preset is not revised when its designation cannot be kept", () =>
    revisesAllOrNothing.pipe(Effect.provide(withClient(":memory:")))
  )

  it.effect("of a transcript has its peaks as bytes", () =>
    Effect.andThen(foundFirst, keepsPeaksAsBytes).pipe(Effect.provide(withClient(":memory:")))
  )

  it.effect("of a preset is counted with the others", () =>
    sumsUpPresets.pipe(Effect.provide(withClient(":memory:")))
  )

  it.effect("that does not decode is a failure with its name", () =>
    namesUnreadableJob.pipe(Effect.provide(withClient(":memory:")))
  )
})

describe("the feed of a file", () => {
  it.effect("forgets old deletions, and says so to whoever has not heard of them", () =>
    forgetsDeletionsAloud.pipe(Effect.provide(withClient(":memory:")))
  )

  it.effect("forgets deletions that a clock which was far ahead would keep for years", () =>
    forgetsDeletionsToCome.pipe(Effect.provide(withClient(":memory:")))
  )
})

describe("the metrics of SQLite", () => {
  it.live("move when it serves", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* movedSeries(onFile), expectedSeries("sqlite", ["transaction"]))
    }).pipe(Effect.scoped)
  )
})
