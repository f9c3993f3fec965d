/**
 * Databases for tests: files in folders of their own. The folders are deleted when the scope
 * closes.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { layer as stores } from "@verbatim/adapters/sql"
import { layer, SqliteClient } from "@verbatim/adapters/sqlite"
import { memoryFolder } from "@verbatim/testkit/servers"
import { Effect, Layer } from "effect"

/** Makes a name for a database that does not exist yet. */
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
        // The database is closed before the file is read, so that all data is in this one file.
        yield* Effect.scoped(Layer.build(Layer.fresh(layer({ filename }))))
        return readFileSync(filename)
      })
    )
  )
)

/** The stores in a new file with empty tables. */
export const onFile = Layer.unwrap(
  Effect.gen(function* () {
    const filename = yield* newFile
    mkdirSync(dirname(filename))
    writeFileSync(filename, yield* withTables, { mode: 0o600 })
    return layer({ filename })
  })
)

/** The stores in memory. */
export const inMemory = layer({ filename: ":memory:" })

/** The stores and their client, over a file whose folder exists. */
export const withClient = (filename: string) =>
  stores().pipe(Layer.provideMerge(SqliteClient.layer({ filename })))

/** The stores over two connections to one new file. */
export const twoConnections = Effect.gen(function* () {
  const filename = yield* newFile
  const open = Layer.build(Layer.fresh(layer({ filename })))
  return [yield* open, yield* open] as const
})
