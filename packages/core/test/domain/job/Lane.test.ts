/** Tests which tasks can run in a lane. */

import { assert, describe, it } from "@effect/vitest"
import { scaleRuns } from "@verbatim/testkit/laws"
import { workspaceId } from "@verbatim/testkit/samples"
import * as fc from "fast-check"
import {
  chooseFitting,
  type LaneCapacity,
  type LanedWork,
  laneHash,
  laneKey,
  laneOf
} from "#src/domain/job/Lane"
import type { WorkspaceId } from "#src/domain/workspace/Workspace"

const workspaces = [workspaceId(1), workspaceId(2)]
const bounds = workspaces.flatMap((workspaceId) =>
  [null, "a", "b", "c"].map((lane): LanedWork => ({ workspaceId, lane }))
)

const inLanes = (workspaceId: WorkspaceId) =>
  ["a", "b"].map((lane) => laneKey({ workspaceId, lane }))

const rooms: fc.Arbitrary<LaneCapacity> = fc.record({
  max: fc.integer({ min: 1, max: 4 }),
  taken: fc.dictionary(
    fc.constantFrom(...workspaces.flatMap(inLanes)),
    fc.integer({ min: 0, max: 5 })
  )
})

const pieces = fc.array(
  fc.constantFrom(...bounds).map((bound) => ({ ...bound })),
  { maxLength: 20 }
)

const hold = <A extends ReadonlyArray<unknown>>(property: fc.IProperty<A>) =>
  fc.assert(property, { numRuns: scaleRuns(500) })

describe("Lanes", () => {
  it("never exceed their capacity, and take all tasks that fit", () =>
    hold(
      fc.property(pieces, rooms, (wanted, room) => {
        const begun = chooseFitting(wanted, room)
        for (const bound of bounds) {
          const isOfLane = (piece: LanedWork) => laneOf(piece) === laneOf(bound)
          const all = wanted.filter(isOfLane)
          const taken = room.taken[laneOf(bound) ?? ""] ?? 0
          const free = bound.lane === null ? all.length : Math.max(0, room.max - taken)
          // The first tasks are chosen, in their original order.
          assert.deepStrictEqual(begun.filter(isOfLane), all.slice(0, free))
        }
        assert.deepStrictEqual(
          begun,
          wanted.filter((piece) => begun.includes(piece))
        )
      })
    ))

  it("have 32-bit hashes that are the same in every release", () => {
    assert.strictEqual(laneHash(""), -2_128_831_035)
    assert.strictEqual(laneHash("https://hooks.example.com"), 2_010_869_949)
    hold(
      fc.property(fc.string(), (lane) => {
        assert.strictEqual(laneHash(lane), laneHash(lane) | 0)
      })
    )
  })
})
