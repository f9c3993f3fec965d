/** Tests how queue counts are selected and split for the trend chart. */
import { assert, describe, it } from "vitest"
import { countsWithin, type QueueCount, splitAtGaps } from "../../page/work/QueueCounts.ts"

const minute = 60_000

const countAt = (at: number): QueueCount => ({ at: at * minute, due: 0, leased: 0 })

const sampleAt = (at: number) => ({
  at: new Date(at * minute).toISOString(),
  due: 0,
  leased: 0,
  later: 0
})

describe("queue counts", () => {
  it("cover the selected range up to the current count, and no later ones", () => {
    const samples = [0, 55, 100, 110, 115, 117].map(sampleAt)
    const within = (range: "1 hour" | "10 minutes") =>
      countsWithin(samples, countAt(116), range).map(({ at }) => at / minute)
    assert.deepStrictEqual(within("1 hour"), [100, 110, 115, 116])
    assert.deepStrictEqual(within("10 minutes"), [110, 115, 116])
  })

  it("are split into sections at every gap in the counts", () => {
    const counts = [0, 1, 2, 10, 11].map(countAt)
    assert.deepStrictEqual(
      splitAtGaps(counts).map((run) => run.length),
      [3, 2]
    )
  })
})
