/** Runs the laws of `Presets` on SQLite, with one connection and with two to one file. */
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/sqlite"
import { PresetLaws } from "@verbatim/testkit/laws"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { twoPresets } from "../sql/TwoClients.ts"
import { inMemory, newFile, onFile, twoConnections, withClient } from "./TemporaryDatabase.ts"

PresetLaws.suite("SQLite in memory", PresetLaws.singleStore.pipe(Layer.provideMerge(inMemory)))
PresetLaws.suite("SQLite in a file", PresetLaws.singleStore.pipe(Layer.provideMerge(onFile)))
PresetLaws.suite("SQLite, two connections to a file", twoPresets(twoConnections))

describe("a SQLite file", () => {
  it.live("keeps its changes in a write-ahead log", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      yield* Layer.build(layer({ filename }))
      const mode = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`PRAGMA journal_mode`)
      const rows = yield* Effect.provide(mode, withClient(filename))
      assert.deepStrictEqual({ ...rows[0] }, { journal_mode: "wal" })
    })
  )
})
