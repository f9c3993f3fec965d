import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { makeLosses } from "#src/ffmpeg/ChannelReading"

const loud = 3_000 ** 2
const quiet = 30 ** 2

/**
 * Returns the single channel to decode, given each channel's power and the power of the sum in each
 * frame.
 */
const bestOf = (frames: ReadonlyArray<readonly [powers: ReadonlyArray<number>, sum: number]>) => {
  const losses = makeLosses(frames[0]?.[0].length ?? 2)
  for (const [powers, sum] of frames) losses.add(Float64Array.from(powers), sum)
  return losses.best()
}

const times = <A>(count: number, value: A): ReadonlyArray<A> =>
  Array.from({ length: count }, () => value)

const opposite = [[loud, loud], 0] as const
const alike = [[loud, loud], 4 * loud] as const
const onlyLeft = [[loud, 0], loud] as const
const onlyRight = [[0, loud], loud] as const

describe("channels that cancel each other out", () => {
  it("are mixed if they cancel out only by accident or are too quiet to hear", () => {
    assert.isUndefined(bestOf([...times(100, alike), ...times(9, opposite)]))
    assert.isUndefined(bestOf(times(100, [[quiet, quiet], 0])))
  })

  it("are replaced by one channel only if this loses less than the mix does", () => {
    const frame = fc.constantFrom(opposite, alike, onlyLeft, onlyRight)
    fc.assert(
      fc.property(fc.array(frame), (frames) => {
        const best = bestOf(frames)
        if (best === undefined) return
        const missing = frames.filter(([powers]) => powers[best] === 0).length
        assert.isBelow(missing, frames.filter((each) => each === opposite).length)
      })
    )
  })
})
