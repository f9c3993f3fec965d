import { assert, describe, it } from "@effect/vitest"
import { MemoryDatabase } from "@verbatim/adapters/memory"
import type { Stores } from "@verbatim/core/ports"
import { DateTime, Effect } from "effect"
import { type Advance, findBroken } from "#src/contracts/Contract"
import { contract as jobStore } from "#src/contracts/cases/jobs/JobStoreCases"
import { contract as workQueue } from "#src/contracts/cases/WorkQueueCases"
import { JobStoreContract } from "#src/contracts/index"
import { sound } from "./faults/Fault.ts"

/** Ages the work rows, as the adapter for a database with its own clock must. */
const age: Advance<MemoryDatabase | Stores> = (duration) =>
  MemoryDatabase.useSync(({ work }) => {
    const earlier = (at: DateTime.Utc) => DateTime.subtractDuration(at, duration)
    for (const [id, row] of [...work]) {
      const lease = row.lease && { ...row.lease, until: earlier(row.lease.until) }
      work.set(id, { ...row, work: { ...row.work, dueAt: earlier(row.work.dueAt) }, lease })
    }
  })

describe("The contract for an adapter with its own clock", () => {
  it.live("only requires the adapter to make all stored rows older", () =>
    Effect.gen(function* () {
      const found = yield* findBroken(workQueue, { layer: sound, advance: age })
      // A store with its own clock must skip these cases, because its time advances between steps
      // and cannot be set.
      const beyondReach = [
        "returns the time of its own clock, which advances",
        "hands out work exactly when the work becomes due",
        "hands out leased work again exactly when its lease expires"
      ]
      const others = found.filter(({ title }) => !beyondReach.includes(title))
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(yield* findBroken(jobStore, { layer: sound, advance: age }), [])
    })
  )

  it("rejects a skipped title that matches no case", () => {
    assert.throws(
      () =>
        JobStoreContract.suite("with a typing error", sound, {
          skip: [{ test: "keeps a trascript of 20 MB", reason: "16 MiB per message" }]
        }),
      'no case is called "keeps a trascript of 20 MB"'
    )
  })
})
