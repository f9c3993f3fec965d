/** Tests the file, the schema and the rows of the database. */

import { mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/sqlite"
import { Effect, Layer } from "effect"
import { expectedSeries, movedSeries } from "../sql/Counting.ts"
import { newFile, onFile } from "./TemporaryDatabase.ts"

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
})

describe("SQLite's metrics", () => {
  it.live("change as the database is used", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* movedSeries(onFile), expectedSeries("sqlite", ["transaction"]))
    }).pipe(Effect.scoped)
  )
})
