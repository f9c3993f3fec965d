/** Databases for tests: files in folders of their own, gone with the scope. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { layer as stores } from "@verbatim/adapters/sql"
import { layer, SqliteClient } from "@verbatim/adapters/sqlite"
import { Effect, Layer } from "effect"

/** The name of a database that does not exist yet. */
export const newFile = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "verbatim-sqlite-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
).pipe(Effect.map((folder) => join(folder, "data", "verbatim.db")))

/** A file in which nothing was written but the tables: it is copied, and made once. */
const withTables = Effect.runSync(
  Effect.cached(
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "verbatim-sqlite-"))
      process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
      const filename = join(folder, "verbatim.db")
      yield* Effect.scoped(Layer.build(Layer.fresh(layer({ filename }))))
      return filename
    })
  )
)

/** The stores in a file that is as good as new. */
export const onFile = Layer.unwrap(
  Effect.gen(function* () {
    const filename = yield* newFile
    mkdirSync(dirname(filename))
    copyFileSync(yield* withTables, filename)
    return layer({ filename })
  })
)

/** The stores in memory. */
export const inMemory = layer({ filename: ":memory:" })

/** The stores together with the client below them, on a file whose folder exists. */
export const withClient = (filename: string) =>
  stores.pipe(Layer.provideMerge(SqliteClient.layer({ filename })))

/** The stores over two connections to one new file. */
export const twoConnections = Effect.gen(function* () {
  const filename = yield* newFile
  const open = Layer.build(Layer.fresh(layer({ filename })))
  return [yield* open, yield* open] as const
})
