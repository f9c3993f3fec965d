/** A store is copied between databases in which its tables are called differently. */
import { assert, describe, it } from "@effect/vitest"
import { PostgresCopy, layer as postgres } from "@verbatim/adapters/postgres"
import { StoreCopy } from "@verbatim/adapters/sql"
import { SqliteCopy, layer as sqlite } from "@verbatim/adapters/sqlite"
import { JobStore, WorkspaceStore } from "@verbatim/core/ports"
import {
  creation,
  foundFirst,
  makeUploadJob,
  readLedger,
  workspaceId
} from "@verbatim/testkit/samples"
import { Effect, Layer } from "effect"
import { newSchema } from "../postgres/TemporarySchema.ts"
import { newFile } from "../sqlite/TemporaryDatabase.ts"

const job = makeUploadJob(1)

const isInUse = false

const ledger = Effect.flatMap(WorkspaceStore, (store) => readLedger(store, workspaceId(1)))

const found = Effect.flatMap(JobStore, (store) => store.find(job.workspaceId, job.id))

const copy = (source: StoreCopy.CopySource, target: StoreCopy.CopyTarget) =>
  StoreCopy.copyStore({ source, target, report: () => Effect.void })

describe("a copy between names", () => {
  it.live("has the rows of the other, under its own prefix, and goes on", () =>
    Effect.gen(function* () {
      const first = { filename: yield* newFile, tablePrefix: "one_" }
      const server = yield* newSchema
      const second = { ...server, tablePrefix: "two_" }
      const third = { ...server, tablePrefix: "three_" }
      const last = { filename: yield* newFile }
      const open = <A, E>(layer: Layer.Layer<A, E>) =>
        Effect.provide(Layer.fresh(layer), { local: true })
      const written = yield* Effect.gen(function* () {
        yield* foundFirst
        yield* Effect.flatMap(JobStore, (store) => store.insert(creation(job)))
        return { job: yield* found, ledger: yield* ledger }
      }).pipe(open(sqlite(first)))
      yield* copy(SqliteCopy.source(first, { isInUse }), PostgresCopy.target(second))
      // Both ends may be in one schema.
      yield* copy(PostgresCopy.source(second, { isInUse }), PostgresCopy.target(third))
      yield* copy(PostgresCopy.source(third, { isInUse }), SqliteCopy.target(last))
      for (const layer of [postgres(second), postgres(third), sqlite(last)]) {
        const read = Effect.all({ job: found, ledger })
        assert.deepStrictEqual(yield* read.pipe(open(layer)), written)
      }
    })
  )

  it.live("refuses itself as its target, by whatever name", () =>
    Effect.gen(function* () {
      const config = { ...(yield* newSchema), tablePrefix: "one_" }
      yield* Effect.scoped(Layer.build(Layer.fresh(postgres(config))))
      const end = [PostgresCopy.source(config, { isInUse }), PostgresCopy.target(config)] as const
      const error = yield* Effect.flip(copy(...end))
      assert.strictEqual(error instanceof StoreCopy.CopyError && error.reason._tag, "SameStore")
    })
  )
})
