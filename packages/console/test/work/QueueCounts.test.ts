/** Tests the data for the queue's trend: samples from the server, and counts by the page. */
import { assert, describe, it } from "vitest"
import {
  addCount,
  countsWithin,
  type QueueCount,
  splitAtGaps
} from "../../page/work/QueueCounts.ts"

const minute = 60_000

const countAt = (at: number, due = 0): QueueCount => ({ at, due, leased: 0 })

const sampleAt = (at: number, due = 0) => ({
  at: new Date(at).toISOString(),
  due,
  leased: 0,
  later: 0
})

const times = (counts: ReadonlyArray<QueueCount>) => counts.map(({ at }) => at)

describe("queue counts", () => {
  it("cover the selected range up to the last count, in order", () => {
    const samples = [0, 55, 100, 110, 115].map((at) => sampleAt(at * minute))
    const seen = [114.5, 116].map((at) => countAt(at * minute))
    assert.deepStrictEqual(
      times(countsWithin(samples, seen, "1 hour")).map((at) => at / minute),
      [100, 110, 114.5, 115, 116]
    )
    assert.deepStrictEqual(
      times(countsWithin(samples, seen, "10 minutes")).map((at) => at / minute),
      [110, 114.5, 115, 116]
    )
    assert.lengthOf(countsWithin(samples, seen, "1 day"), 7)
    assert.isEmpty(countsWithin([], [], "1 day"))
  })

  it("exclude counts from before a clock was set back, which have later times", () => {
    const seen = [100, 101, 41, 42]
      .map((at) => countAt(at * minute))
      .reduce<ReadonlyArray<QueueCount>>(addCount, [])
    assert.deepStrictEqual(times(seen), [41 * minute, 42 * minute])
    const samples = [40, 99, 100].map((at) => sampleAt(at * minute))
    assert.deepStrictEqual(
      times(countsWithin(samples, seen, "1 hour")).map((at) => at / minute),
      [40, 41, 42]
    )
  })

  it("are divided into sections at every gap in the counts", () => {
    const counts = [0, 1, 2, 10, 11].map((at) => countAt(at * minute))
    assert.deepStrictEqual(
      splitAtGaps(counts).map((run) => run.length),
      [3, 2]
    )
    assert.isEmpty(splitAtGaps([]))
  })

  it("are limited to the last 60 counts that were received, without duplicates", () => {
    let seen: ReadonlyArray<QueueCount> = []
    for (let at = 1; at <= 400; at += 1) {
      seen = addCount(addCount(seen, countAt(at)), countAt(at))
    }
    assert.deepStrictEqual(
      times(seen),
      Array.from({ length: 60 }, (_, index) => index + 341)
    )
  })
})
