/** What finds room in a lane. */
import { assert, describe, it } from "@effect/vitest"
import { fitting, fullLanes, type LaneRoom } from "@verbatim/core/job/Lane"
import * as fc from "fast-check"

const lanes = ["", "a", "b", "c"]

const rooms: fc.Arbitrary<LaneRoom> = fc.record({
  max: fc.integer({ min: 1, max: 4 }),
  taken: fc.dictionary(fc.constantFrom("a", "b"), fc.integer({ min: 0, max: 5 }))
})

const pieces = fc.array(fc.record({ lane: fc.constantFrom(...lanes) }), { maxLength: 20 })

const hold = <A extends ReadonlyArray<unknown>>(property: fc.IProperty<A>) =>
  fc.assert(property, { numRuns: 500 })

describe("Lanes", () => {
  it("never hold more than there is room for, and lack nothing that fits", () =>
    hold(
      fc.property(pieces, rooms, (wanted, room) => {
        const begun = fitting(wanted, room)
        for (const lane of lanes) {
          const all = wanted.filter((piece) => piece.lane === lane)
          const free = lane === "" ? all.length : Math.max(0, room.max - (room.taken[lane] ?? 0))
          // The first ones, and in the order in which they came.
          assert.deepStrictEqual(
            begun.filter((piece) => piece.lane === lane),
            all.slice(0, free)
          )
        }
        assert.deepStrictEqual(
          begun,
          wanted.filter((piece) => begun.includes(piece))
        )
      })
    ))

  it("that are full take nothing", () =>
    hold(
      fc.property(rooms, (room) => {
        const full = new Set(fullLanes(room))
        for (const lane of ["a", "b", "c"]) {
          assert.strictEqual(full.has(lane), fitting([{ lane }], room).length === 0)
        }
      })
    ))
})
