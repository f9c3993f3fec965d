/** Files of SQLite in which stores are beside the tables of a host. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { newFile } from "../sqlite/TemporaryDatabase.ts"
import { check, plant } from "./HostTables.ts"

/** How a file is opened: the stores in it, and the client of the host itself. */
interface Ways<Stores, E> {
  readonly open: (filename: string) => Layer.Layer<Stores, E>
  readonly client: (filename: string) => Layer.Layer<SqlClient.SqlClient, E>
}

/** Makes files with both tables, and checks those of the host once the stores are closed. */
export const besideTables = <Stores, E>({ client, open }: Ways<Stores, E>) => {
  /** The bytes of a file in which only the tables are: it is made once. */
  const withTables = Effect.runSync(
    Effect.cached(
      Effect.scoped(
        Effect.gen(function* () {
          const filename = yield* newFile
          mkdirSync(dirname(filename))
          yield* Effect.provide(plant, client(filename), { local: true })
          yield* Effect.scoped(Layer.build(Layer.fresh(open(filename))))
          return readFileSync(filename)
        })
      )
    )
  )
  return Layer.unwrap(
    Effect.gen(function* () {
      const filename = yield* newFile
      mkdirSync(dirname(filename))
      writeFileSync(filename, yield* withTables)
      yield* Effect.addFinalizer(() =>
        // A test may have removed the file.
        existsSync(filename)
          ? Effect.orDie(Effect.provide(check, client(filename), { local: true }))
          : Effect.void
      )
      return open(filename)
    })
  )
}
