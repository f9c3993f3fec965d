import { assert, describe, it } from "@effect/vitest"
import { MemoryDatabase } from "@verbatim/adapters/memory"
import type { Stores } from "@verbatim/core/ports"
import { DateTime } from "effect"
import type { Advance } from "#src/contracts/Contract"
import { JobStoreContract, WorkQueueContract } from "#src/contracts/index"
import { sound } from "./faults/Fault.ts"

/** Ages the work rows, which tests of an adapter with its own clock must do. */
const age: Advance<MemoryDatabase | Stores> = (duration) =>
  MemoryDatabase.useSync(({ work }) => {
    const earlier = (at: DateTime.Utc) => DateTime.subtractDuration(at, duration)
    for (const [id, row] of [...work]) {
      const lease = row.lease && { ...row.lease, until: earlier(row.lease.until) }
      work.set(id, { ...row, work: { ...row.work, dueAt: earlier(row.work.dueAt) }, lease })
    }
  })

/** Cases that such an adapter must skip, because its time advances between steps. */
const skip = [
  "returns the time of its own clock, which advances",
  "hands out work exactly when the work becomes due",
  "hands out leased work again exactly when its lease expires"
].map((test) => ({ test, reason: "the clock cannot be set" }))

WorkQueueContract.suite("a store with its own clock", sound, { advance: age, skip })
JobStoreContract.suite("a store with its own clock", sound, { advance: age })

describe("A suite", () => {
  it("rejects a title to skip if no case has this title", () => {
    assert.throws(
      () =>
        JobStoreContract.suite("with a typing error", sound, {
          skip: [{ test: "keeps a trascript of 20 MB", reason: "16 MiB per message" }]
        }),
      'no case is called "keeps a trascript of 20 MB"'
    )
  })
})
