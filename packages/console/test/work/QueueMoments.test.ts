/** What the queue over time is drawn from: samples of the server, and looks of the page. */
import { assert, describe, it } from "vitest"
import { addMoment, type Moment, momentsOf, stretchesOf } from "../../page/work/QueueMoments.ts"

const minute = 60_000

const momentAt = (at: number, due = 0): Moment => ({ at, due, leased: 0 })

const sampleAt = (at: number, due = 0) => ({
  at: new Date(at).toISOString(),
  due,
  leased: 0,
  later: 0
})

const times = (moments: ReadonlyArray<Moment>) => moments.map(({ at }) => at)

describe("moments of the queue", () => {
  it("are those of the range before the last one, in order", () => {
    const samples = [0, 55, 100, 110, 115].map((at) => sampleAt(at * minute))
    const seen = [114.5, 116].map((at) => momentAt(at * minute))
    assert.deepStrictEqual(
      times(momentsOf(samples, seen, "1 hour")).map((at) => at / minute),
      [100, 110, 114.5, 115, 116]
    )
    assert.deepStrictEqual(
      times(momentsOf(samples, seen, "10 minutes")).map((at) => at / minute),
      [110, 114.5, 115, 116]
    )
    assert.lengthOf(momentsOf(samples, seen, "1 day"), 7)
    assert.isEmpty(momentsOf([], [], "1 day"))
  })

  it("are none that were counted before a clock was set back, and seem to be later", () => {
    const seen = [100, 101, 41, 42]
      .map((at) => momentAt(at * minute))
      .reduce<ReadonlyArray<Moment>>(addMoment, [])
    assert.deepStrictEqual(times(seen), [41 * minute, 42 * minute])
    const samples = [40, 99, 100].map((at) => sampleAt(at * minute))
    assert.deepStrictEqual(
      times(momentsOf(samples, seen, "1 hour")).map((at) => at / minute),
      [40, 41, 42]
    )
  })

  it("are parted where nobody has counted", () => {
    const moments = [0, 1, 2, 10, 11].map((at) => momentAt(at * minute))
    assert.deepStrictEqual(
      stretchesOf(moments).map((stretch) => stretch.length),
      [3, 2]
    )
    assert.isEmpty(stretchesOf([]))
  })

  it("that were seen are 300 at most, and none twice", () => {
    let seen: ReadonlyArray<Moment> = []
    for (let at = 1; at <= 400; at += 1) {
      seen = addMoment(addMoment(seen, momentAt(at)), momentAt(at))
    }
    assert.deepStrictEqual(
      times(seen),
      Array.from({ length: 300 }, (_, index) => index + 101)
    )
  })
})
