/** Tests how queue counts are selected and combined for the trend chart. */
import { assert, describe, it } from "vitest"
import { countsByStep, countsWithin, type QueueCount } from "../../page/work/QueueCounts.ts"

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
    const within = (minutes: number) =>
      countsWithin(samples, countAt(116), minutes * minute).map(({ at }) => at / minute)
    assert.deepStrictEqual(within(60), [100, 110, 115, 116])
    assert.deepStrictEqual(within(10), [110, 115, 116])
  })

  it("fill steps, with the largest count in a step and none in a gap", () => {
    const dueAt = (at: number, due: number) => ({ ...countAt(at), due })
    const counts = [dueAt(0, 1), dueAt(1, 2), dueAt(2, 3), dueAt(7, 4), dueAt(7.5, 6), dueAt(8, 5)]
    const steps = countsByStep(counts, 60 * minute)
    assert.deepStrictEqual(
      steps.map(({ count }) => count?.due),
      [1, 2, 3, 3, 3, undefined, undefined, 4, 6]
    )
    assert.deepStrictEqual(
      steps.map(({ at }) => at / minute),
      [0, 1, 2, 3, 4, 5, 6, 7, 8]
    )
    const [day] = countsByStep(counts, 1_440 * minute)
    assert.deepStrictEqual(day, { at: 8 * minute, count: dueAt(7.5, 6) })
  })
})
