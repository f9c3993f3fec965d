import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as ChannelTurns from "#src/engines/ChannelTurns"

const loud = 3_000 ** 2
const quiet = 3 ** 2

/** This many tenths of a second of one side, with the other one heard faintly. */
const side = (speaker: 0 | 1, tenths: number): ReadonlyArray<ChannelTurns.Frame> => {
  const [near, far] = [loud, loud / 25]
  const frame = speaker === 0 ? { left: near, right: far } : { left: far, right: near }
  return Array.from({ length: tenths }, () => frame)
}

const both = (tenths: number) => Array.from({ length: tenths }, () => ({ left: loud, right: loud }))
const nobody = (tenths: number) =>
  Array.from({ length: tenths }, () => ({ left: quiet, right: quiet / 100 }))

describe("turns by channel", () => {
  it("are those of the louder side, even over a breath", () => {
    const frames = [...nobody(5), ...side(1, 10), ...nobody(3), ...side(1, 7), ...side(0, 20)]
    assert.deepStrictEqual(ChannelTurns.turnsFrom(frames), [
      { speaker: 1, startMillis: 500, endMillis: 2_500 },
      { speaker: 0, startMillis: 2_500, endMillis: 4_500 }
    ])
  })

  it("are none where the channels are one sound, or one of them is silent", () => {
    const none = [
      both(100),
      [...both(100), ...side(0, 20), ...side(1, 20)],
      side(0, 200),
      [...side(0, 200), ...side(1, 9)],
      nobody(100),
      []
    ]
    for (const frames of none) assert.isNull(ChannelTurns.turnsFrom(frames))
  })

  it("are in order, without an overlap, and mirrored when the channels are changed", () => {
    const stretches = fc.array(
      fc.oneof(
        fc
          .tuple(fc.constantFrom(0 as const, 1 as const), fc.nat(40))
          .map(([who, n]) => side(who, n)),
        fc.nat(20).map(nobody),
        fc.nat(10).map(both)
      ),
      { maxLength: 20 }
    )
    fc.assert(
      fc.property(stretches, (parts) => {
        const frames = parts.flat()
        const turns = ChannelTurns.turnsFrom(frames)
        const mirrored = frames.map(({ left, right }) => ({ left: right, right: left }))
        const expected = turns?.map((turn) => ({ ...turn, speaker: 1 - turn.speaker })) ?? null
        assert.deepStrictEqual(ChannelTurns.turnsFrom(mirrored), expected)
        let latest = 0
        for (const { endMillis, startMillis } of turns ?? []) {
          assert.isAtLeast(startMillis, latest)
          assert.isAbove(endMillis, startMillis)
          latest = endMillis
        }
        assert.isAtMost(latest, frames.length * 100)
      })
    )
  })
})
