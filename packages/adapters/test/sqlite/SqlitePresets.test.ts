/** The laws of `Presets` over SQLite, on one connection and on two of one file. */
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/sqlite"
import { PresetStore } from "@verbatim/core/ports/PresetStore"
import * as PresetLaws from "@verbatim/testkit/laws/PresetLaws"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inMemory, newFile, onFile, withClient } from "./TemporaryDatabase.ts"

/** Two connections to one new file; the workspaces and the final look are at the first. */
const twoConnections = Layer.effectContext(
  Effect.gen(function* () {
    const filename = yield* newFile
    const open = Layer.build(Layer.fresh(layer({ filename })))
    const [one, other] = [yield* open, yield* open]
    return Context.add(one, PresetLaws.Doors, [
      Context.get(one, PresetStore),
      Context.get(other, PresetStore)
    ])
  })
)

PresetLaws.suite("SQLite in memory", PresetLaws.oneDoor.pipe(Layer.provideMerge(inMemory)))
PresetLaws.suite("SQLite in a file", PresetLaws.oneDoor.pipe(Layer.provideMerge(onFile)))
PresetLaws.suite("SQLite, two connections to a file", twoConnections)

describe("a SQLite file", () => {
  it.live("keeps its changes in a WAL", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      yield* Layer.build(layer({ filename }))
      const mode = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`PRAGMA journal_mode`)
      const rows = yield* Effect.provide(mode, withClient(filename))
      assert.deepStrictEqual({ ...rows[0] }, { journal_mode: "wal" })
    })
  )
})
