/** Several connections to one file: in one program, and in several. */

import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { layer, SqliteClient } from "@verbatim/adapters/sqlite"
import { PresetStore } from "@verbatim/core/ports"
import { foundFirst, foundPreset, makeDraft, upTo } from "@verbatim/testkit/samples"
import { Deferred, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { testTwo } from "../sql/TwoClientCases.ts"
import { claimedAtBoth, sorted, storedVersions } from "../sql/TwoClients.ts"
import * as ChildProgram from "./ChildProgram.ts"
import { newFile, twoConnections } from "./TemporaryDatabase.ts"

const open = (filename: string) => Layer.build(Layer.fresh(layer({ filename })))

describe("a SQLite file", () => {
  testTwo("connections", twoConnections)

  it.live("gives dense versions to 64 writers in each of two programs", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      const here = yield* open(filename)
      yield* Effect.provide(foundFirst, here)
      const task = ChildProgram.run("append", filename)
      const said = yield* Effect.all([task, task], { concurrency: 2 })
      assert.deepStrictEqual(sorted(said.flat().map(Number)), upTo(128))
      assert.deepStrictEqual(yield* Effect.provide(storedVersions, here), upTo(128))
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("hands out each piece of work once to claims on two connections", () =>
    Effect.gen(function* () {
      const ids = (yield* claimedAtBoth(yield* twoConnections)).flat()
      assert.strictEqual(ids.length, 100)
      assert.strictEqual(new Set(ids).size, 100)
    })
  )

  it.live("refuses a version after five seconds when somebody holds the file", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      const here = yield* open(filename)
      yield* Effect.provide(foundFirst, here)
      const begun = yield* Deferred.make<void>()
      const endless = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
      )
      yield* Effect.forkChild(Effect.provide(endless, SqliteClient.layer({ filename })))
      yield* Deferred.await(begun)
      const startedAt = performance.now()
      const append = Effect.flatMap(PresetStore, (presets) => presets.append(makeDraft(1)))
      const { reason } = yield* Effect.flip(Effect.provide(append, here))
      assert.strictEqual(reason._tag, "Contended")
      assert.isAtLeast(performance.now() - startedAt, 5_000)
      assert.isTrue(Option.isNone(yield* Effect.provide(foundPreset(), here)))
    })
  )
})
