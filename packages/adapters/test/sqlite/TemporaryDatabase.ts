/**
 * Creates database files for tests, each in its own folder, which is deleted when the scope closes.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { layer as stores } from "@verbatim/adapters/sql"
import { layer, SqliteClient } from "@verbatim/adapters/sqlite"
import { memoryFolder } from "@verbatim/testkit/servers"
import { Effect, Layer } from "effect"

/** Returns the path of a database that does not exist yet. */
export const newFile = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(memoryFolder, "verbatim-sqlite-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
).pipe(Effect.map((folder) => join(folder, "data", "verbatim.db")))

/** The bytes of a database file with empty tables, created once. */
const withTables = Effect.runSync(
  Effect.cached(
    Effect.scoped(
      Effect.gen(function* () {
        const filename = yield* newFile
        // The database is closed before its file is read, so that the file contains all data.
        yield* Effect.scoped(Layer.build(Layer.fresh(layer({ filename }))))
        return readFileSync(filename)
      })
    )
  )
)

/** Provides the stores in a new file with empty tables. */
export const onFile = Layer.unwrap(
  Effect.gen(function* () {
    const filename = yield* newFile
    mkdirSync(dirname(filename))
    writeFileSync(filename, yield* withTables, { mode: 0o600 })
    return layer({ filename })
  })
)

/** Provides the stores in memory. */
export const inMemory = layer({ filename: ":memory:" })

/** Provides the stores and their client on a file in an existing folder. */
export const withClient = (filename: string) =>
  stores().pipe(Layer.provideMerge(SqliteClient.layer({ filename })))

/** Provides the stores on two connections to one new file. */
export const twoConnections = Effect.gen(function* () {
  const filename = yield* newFile
  const open = Layer.build(Layer.fresh(layer({ filename })))
  return [yield* open, yield* open] as const
})
