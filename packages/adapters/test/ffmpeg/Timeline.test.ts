import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { addLines, endOf, makeTimeline } from "#src/ffmpeg/SoundFiles"

interface Packet {
  readonly time: number
  readonly count: number
}

const spansOf = (packets: ReadonlyArray<Packet>) => {
  const timeline = makeTimeline()
  for (const packet of packets) timeline.add(packet)
  return timeline.spans()
}

const lengthOf = (packets: ReadonlyArray<Packet>) =>
  packets.reduce((sum, { count }) => sum + count, 0)

describe("a timeline", () => {
  it("is read only from ffmpeg's packet lines", () => {
    const timeline = makeTimeline()
    addLines(timeline, [
      "#tb 0: 1/16000",
      "0,      32000,      32000,    16000,    32000, 0xa00517ec",
      "1,      96000,      96000,    16000,    32000, 0xa00517ec",
      "0,          x,          y,    16000,    32000, 0xa00517ec"
    ])
    assert.deepStrictEqual(timeline.spans(), [{ from: 0, at: 32_000 }])
  })

  const anyPackets = fc.array(
    fc.record({ time: fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), count: fc.nat(5_000) })
  )

  it("never loses, reorders or overlaps audio, whatever timestamps the packets have", () => {
    fc.assert(
      fc.property(anyPackets, (packets) => {
        const spans = spansOf(packets)
        assert.strictEqual(spans[0]?.from, 0)
        for (const [index, span] of spans.entries()) {
          assert.isAtLeast(span.at, 0)
          const next = spans[index + 1] ?? { from: lengthOf(packets), at: Number.MAX_SAFE_INTEGER }
          assert.isAtLeast(next.from, span.from)
          assert.isAtLeast(next.at - span.at, next.from - span.from)
        }
        assert.isAtLeast(endOf(spans, lengthOf(packets)), lengthOf(packets))
      })
    )
  })

  const holes = fc.array(fc.record({ packets: fc.integer({ min: 1, max: 50 }), hole: fc.nat(60) }))

  it("places each packet within a tenth of a second of its timestamp, despite jitter", () => {
    fc.assert(
      fc.property(
        holes,
        fc.infiniteStream(fc.integer({ min: -400, max: 400 })),
        (parts, jitter) => {
          let time = 0
          const packets = parts.flatMap(({ hole, packets: count }) => {
            time += hole * 800
            return Array.from({ length: count }, () => {
              const { value = 0 } = jitter.next()
              time += 320
              return { time: time - 320 + value, true: time - 320, count: 320 }
            })
          })
          const spans = spansOf(packets)
          for (const [index, each] of packets.entries()) {
            const from = index * 320
            const span = spans.findLast((one) => one.from <= from) ?? { from: 0, at: 0 }
            assert.isAtMost(Math.abs(span.at + from - span.from - each.true), 2_000)
          }
        }
      )
    )
  })
})
