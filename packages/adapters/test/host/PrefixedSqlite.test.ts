/** All contracts beside tables of a host that have the names of ours. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { layer, SqliteClient } from "@verbatim/adapters/sqlite"
import { StoreContracts } from "@verbatim/testkit/contracts"
import { Effect, Layer } from "effect"
import { newFile } from "../sqlite/TemporaryDatabase.ts"
import { check, plant, prefix } from "./HostTables.ts"

const within = (filename: string) =>
  Effect.provide(SqliteClient.layer({ filename }), { local: true })

const open = (filename: string) => layer({ filename, tablePrefix: prefix })

/** The bytes of a file in which only the tables are, the host's and ours: it is made once. */
const withTables = Effect.runSync(
  Effect.cached(
    Effect.scoped(
      Effect.gen(function* () {
        const filename = yield* newFile
        mkdirSync(dirname(filename))
        yield* plant.pipe(within(filename))
        yield* Effect.scoped(Layer.build(Layer.fresh(open(filename))))
        return readFileSync(filename)
      })
    )
  )
)

const beside = Layer.unwrap(
  Effect.gen(function* () {
    const filename = yield* newFile
    mkdirSync(dirname(filename))
    writeFileSync(filename, yield* withTables)
    // After the stores are closed: a test may have removed the file.
    yield* Effect.addFinalizer(() =>
      existsSync(filename) ? Effect.orDie(check.pipe(within(filename))) : Effect.void
    )
    return open(filename)
  })
)

StoreContracts.suite("SQLite beside a host's tables", beside)
