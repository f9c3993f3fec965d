/**
 * Runs all store suites on the stores in memory, and tests that deleted jobs also leave the memory.
 */

import { assert, describe, it } from "@effect/vitest"
import { layer, MemoryDatabase, stores } from "@verbatim/adapters/memory"
import { deletionRetention, JobStore } from "@verbatim/core/ports"
import { StoreContracts } from "@verbatim/testkit/contracts"
import { CorrectionLaws } from "@verbatim/testkit/laws"
import { insertJob, makeUploadJob, upTo, workspaceId } from "@verbatim/testkit/samples"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"

StoreContracts.suite("memory", layer)

CorrectionLaws.suite("memory", layer)

const insertAndRemove = (number: number) =>
  Effect.gen(function* () {
    const jobs = yield* JobStore
    const { id } = yield* insertJob(makeUploadJob(number))
    yield* jobs.remove(workspaceId(1), id)
  })

describe("a job deleted from memory", () => {
  it.effect("leaves the feed immediately, and is dropped after the retention time", () =>
    Effect.gen(function* () {
      const tables = yield* MemoryDatabase
      yield* insertJob(makeUploadJob(101))
      for (const number of upTo(100)) yield* insertAndRemove(number)
      assert.lengthOf(tables.deletions.rows, 100)
      assert.lengthOf(tables.feed, 1)
      yield* TestClock.adjust(deletionRetention)
      yield* insertAndRemove(102)
      assert.lengthOf(tables.deletions.rows, 1)
    }).pipe(Effect.provide(Layer.provideMerge(stores, MemoryDatabase.layer)))
  )
})
