/** Tests which pending tasks start first. */

import { assert, describe, it } from "@effect/vitest"
import { scaleRuns } from "@verbatim/testkit/laws"
import { jobId, upTo, workspaceId } from "@verbatim/testkit/samples"
import * as fc from "fast-check"
import { WorkKind } from "#src/domain/attempt/Work"
import {
  chooseWork,
  type DueWork,
  type KindCapacity,
  keepsSlotsFree,
  laneKey,
  laneOf
} from "#src/domain/job/Lane"

const owners = upTo(4).map(workspaceId)

const pieces = fc
  .array(
    fc.record({
      workspaceId: fc.constantFrom(...owners),
      lane: fc.constantFrom(null, "a", "b"),
      dueAt: fc.integer({ min: 0, max: 5 })
    }),
    { maxLength: 30 }
  )
  .map((all) => all.map((piece, index): DueWork => ({ ...piece, jobId: jobId(index + 1) })))

const counts = fc.dictionary(fc.constantFrom<string>(...owners), fc.integer({ min: 0, max: 5 }))

const rooms = fc.record({
  kind: fc.constantFrom(...WorkKind.literals),
  free: fc.integer({ min: 0, max: 12 }),
  held: counts,
  lanes: fc.record({
    max: fc.integer({ min: 1, max: 4 }),
    taken: fc.dictionary(
      fc.constantFrom(...owners.map((owner) => laneKey({ workspaceId: owner, lane: "a" }))),
      fc.integer({ min: 0, max: 5 })
    )
  }),
  after: fc.constantFrom("", ...owners)
})

const hold = <A extends ReadonlyArray<unknown>>(property: fc.IProperty<A>) =>
  fc.assert(property, { numRuns: scaleRuns(1_000) })

/**
 * Chooses one task at a time: the workspace with the fewest occupied slots comes first, and among
 * equals the next one by id.
 */
const chooseSlowly = (
  all: ReadonlyArray<DueWork>,
  { after, free, held, kind, lanes }: KindCapacity
) => {
  const inLanes = new Map(Object.entries(lanes.taken))
  const has = new Map(Object.entries(held))
  const count = (owner: string) => has.get(owner) ?? 0
  const waiting = all
    .toSorted((one, other) => one.dueAt - other.dueAt || (one.jobId < other.jobId ? -1 : 1))
    .filter((piece) => {
      const lane = laneOf(piece)
      if (lane === null) return true
      const taken = inLanes.get(lane) ?? 0
      inLanes.set(lane, taken + 1)
      return taken < lanes.max
    })
  const chosen: Array<DueWork> = []
  while (chosen.length < free) {
    const left = free - chosen.length
    const candidates = owners
      .filter((owner) => waiting.some((piece) => piece.workspaceId === owner))
      .filter((owner) => !keepsSlotsFree[kind] || count(owner) < left)
    const least = Math.min(...candidates.map(count))
    const equals = candidates.filter((owner) => count(owner) === least).sort()
    const next = equals.find((owner) => owner > after) ?? equals[0]
    const at = waiting.findIndex((piece) => piece.workspaceId === next)
    if (next === undefined || at < 0) break
    chosen.push(...waiting.splice(at, 1))
    has.set(next, least + 1)
  }
  return chosen
}

describe("chooseWork", () => {
  it("chooses the same tasks as a simple loop that applies the documented rules", () =>
    hold(
      fc.property(pieces, rooms, (all, room) => {
        assert.deepStrictEqual(chooseWork(all, room), chooseSlowly(all, room))
      })
    ))
})
