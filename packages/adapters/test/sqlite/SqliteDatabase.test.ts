/** Tests the file, the schema and the rows of the database. */

import { mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Migrations } from "@verbatim/adapters/sql"
import { layer, SqliteClient } from "@verbatim/adapters/sqlite"
import { foundFirst } from "@verbatim/testkit/samples"
import { Effect, Layer } from "effect"
import { expectedSeries, movedSeries } from "../sql/Counting.ts"
import { forgetsFutureDeletions, forgetsOldDeletions } from "../sql/Deletions.ts"
import {
  allMigrations,
  keepsEverything,
  keepsPeaksAsBytes,
  leavesOutDamagedPieces,
  namesUnreadableJob,
  revisesAllOrNothing
} from "../sql/StoredRows.ts"
import { newFile, onFile, withClient } from "./TemporaryDatabase.ts"

const permissionsOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe("the file of a SQLite database", () => {
  it.effect("is accessible only to its owner, as are its folder and the files next to it", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      yield* Layer.build(layer({ filename }))
      assert.strictEqual(permissionsOf(dirname(filename)), "700")
      for (const suffix of ["", "-wal", "-shm"]) {
        assert.strictEqual(permissionsOf(filename + suffix), "600")
      }
    })
  )

  it.effect("leaves the permissions of an existing folder unchanged", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      mkdirSync(dirname(filename), { mode: 0o755 })
      yield* Layer.build(layer({ filename }))
      assert.strictEqual(permissionsOf(dirname(filename)), "755")
    })
  )

  it.effect("keeps all data when the database is closed and opened again", () =>
    Effect.flatMap(newFile, (filename) => keepsEverything(layer({ filename })))
  )
})

describe("the schema of a SQLite database", () => {
  it.effect("is migrated only once", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* Migrations.run, allMigrations)
      assert.deepStrictEqual(yield* Migrations.run, [])
    }).pipe(Effect.provide(SqliteClient.layer({ filename: ":memory:" })))
  )
})

describe("a row in a SQLite database", () => {
  it.effect("stays unchanged if a preset's designation cannot be stored", () =>
    revisesAllOrNothing.pipe(Effect.provide(withClient(":memory:")))
  )

  it.effect("holds the peaks of a transcript as bytes", () =>
    Effect.andThen(foundFirst, keepsPeaksAsBytes).pipe(Effect.provide(withClient(":memory:")))
  )

  it.effect("is named in the error if it cannot be decoded", () =>
    namesUnreadableJob.pipe(Effect.provide(withClient(":memory:")))
  )

  it.effect("is left out if it is a piece of a recording and cannot be decoded", () =>
    leavesOutDamagedPieces.pipe(Effect.provide(withClient(":memory:")))
  )
})

describe("the feed in a SQLite file", () => {
  it.effect("drops old deletions, and resets subscribers that have missed one of them", () =>
    forgetsOldDeletions.pipe(Effect.provide(withClient(":memory:")))
  )

  it.effect("drops deletions that were written while a clock was years ahead", () =>
    forgetsFutureDeletions.pipe(Effect.provide(withClient(":memory:")))
  )
})

describe("SQLite's metrics", () => {
  it.live("change as the database is used", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* movedSeries(onFile), expectedSeries("sqlite", ["transaction"]))
    }).pipe(Effect.scoped)
  )
})
