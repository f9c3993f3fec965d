/**
 * Tests that the blocks contain every segment, and that every timestamp and character can be found.
 */
import { it } from "@effect/vitest"
import { Schema } from "effect"
import { assert, describe } from "vitest"
import {
  blockOf,
  findText,
  replaceText,
  type Segment,
  segmentAt,
  timeAt,
  toBlocks,
  voiceSample,
  wordAt
} from "../../page/transcript/Blocks.ts"
import { makeHeights } from "../../page/ui/Heights.ts"

const Said = Schema.Array(
  Schema.Struct({
    speaker: Schema.Literals(["speaker_0", "speaker_1"]),
    text: Schema.Literals(["We met.", "The crane", "is late", "", "x".repeat(300)]),
    pause: Schema.Literals([0, 0.5, 4])
  })
)

const toSegments = (said: typeof Said.Type): ReadonlyArray<Segment> => {
  let at = 0
  return said.map(({ pause, speaker, text }) => {
    const start = at + pause
    at = start + 1
    return { start, end: at, speaker, text }
  })
}

describe("voiceSample", () => {
  it("is at most 5 seconds of the speaker's longest segment", () => {
    const ana = { speaker: "Ana", text: "Hello." }
    const segments = [
      { ...ana, start: 0, end: 2 },
      { ...ana, start: 3, end: 10 },
      { ...ana, speaker: "Ben", start: 10, end: 30 }
    ]
    assert.deepStrictEqual(voiceSample(segments, "Ana"), { start: 3, end: 8 })
  })
})

describe("replaceText", () => {
  it.prop("changes exactly the segments that match", { said: Said }, ({ said }) => {
    const segments = toSegments(said)
    const { changes, count } = replaceText(segments, {
      wanted: " CRANE ",
      by: "$& hoist",
      isWhole: false
    })
    const expected = segments.flatMap(({ text }, index) =>
      text.includes("crane") ? [{ index, text: text.replaceAll("crane", () => "$& hoist") }] : []
    )
    assert.deepStrictEqual(changes, expected)
    assert.strictEqual(count, segments.filter(({ text }) => text.includes("crane")).length)
  })

  it("keeps the capitals of a match, unless the replacement has its own", () => {
    const replaceIn = (text: string, wanted: string, by: string): string | undefined =>
      replaceText([{ start: 0, end: 1, speaker: "Ana", text }], { wanted, by, isWhole: true })
        .changes[0]?.text
    assert.strictEqual(replaceIn("The crane, the hook", "the", "that"), "That crane, that hook")
    assert.strictEqual(replaceIn("ÄRGER, Ärger", "ärger", "élan"), "ÉLAN, Élan")
    assert.strictEqual(replaceIn("I left", "i", "we"), "We left")
    assert.strictEqual(replaceIn("HAKAN", "hakan", "Håkan"), "Håkan")
    assert.strictEqual(replaceIn("The Crane", "crane", "crane"), "The crane")
    assert.strictEqual(replaceIn("Second", "second", "2nd"), "2nd")
  })
})

describe("toBlocks", () => {
  it.prop("keeps every segment with its speaker and position", { said: Said }, (given) => {
    const segments = toSegments(given.said)
    const blocks = toBlocks(segments, "en")
    let next = 0
    for (const [place, block] of blocks.entries()) {
      assert.strictEqual(block.first, next)
      next = block.end
      for (const [index, segment] of segments.slice(block.first, block.end).entries()) {
        const from = block.offsets[index] ?? -1
        assert.strictEqual(segment.speaker, block.speaker)
        assert.strictEqual(block.text.slice(from, from + segment.text.length), segment.text)
        assert.strictEqual(blockOf(blocks, block.first + index), place)
        assert.strictEqual(segmentAt(segments, segment.start), block.first + index)
      }
    }
    assert.strictEqual(next, segments.length)
  })

  it("joins segments without spaces in languages that do not use spaces", () => {
    const segment = { start: 0, end: 1, speaker: "speaker_0" }
    const segments = [
      { ...segment, text: "你好" },
      { ...segment, text: "世界" }
    ]
    assert.strictEqual(toBlocks(segments, "zh")[0]?.text, "你好世界")
    assert.strictEqual(toBlocks(segments, "en")[0]?.text, "你好 世界")
  })
})

describe("wordAt and timeAt", () => {
  const segment = { start: 10, end: 12, speaker: "speaker_0", text: "The crane is late" }

  it("find the word spoken at a given time, and the time at which a word is spoken", () => {
    assert.deepStrictEqual(wordAt(segment, 10), { from: 0, to: 3 })
    assert.deepStrictEqual(wordAt(segment, 11.9), { from: 13, to: 17 })
    assert.isUndefined(wordAt(segment, 13))
    assert.strictEqual(timeAt(segment, 1), 10)
    assert.isAbove(timeAt(segment, 15), 11.4)
  })
})

const find = (blocks: ReturnType<typeof toBlocks>, wanted: string, isWhole = false) =>
  findText(blocks, { wanted, isWhole })

describe("findText", () => {
  it("ignores accents and repeated spaces", () => {
    const segment = { start: 0, end: 1, speaker: "speaker_0", text: "Frau  Håkansson spricht." }
    const [hit] = find(toBlocks([segment], "de"), "frau hakansson")
    assert.deepInclude(hit, { from: 0, to: "Frau  Håkansson".length })
  })

  it("ignores case, matches across segments, and takes special characters literally", () => {
    const segment = { start: 0, end: 1, speaker: "speaker_0" }
    const blocks = toBlocks(
      [
        { ...segment, text: "The CRANE" },
        { ...segment, text: "is late (again)." }
      ],
      "en"
    )
    assert.deepStrictEqual(find(blocks, "crane is"), [{ block: 0, from: 4, to: 12 }])
    assert.strictEqual(find(blocks, "(again).").length, 1)
    assert.deepStrictEqual(find(blocks, ".*"), [])
    assert.deepStrictEqual(find(blocks, " "), [])
  })

  it("finds whole words in any script", () => {
    const segment = { start: 0, end: 1, speaker: "speaker_0" }
    const text = "Planning: Ann, ann's Ännchen, ann_2; Анна и Аннабель."
    const blocks = toBlocks([{ ...segment, text }], "en")
    const foundFor = (wanted: string) => find(blocks, wanted, true).map(({ from }) => from)
    assert.deepStrictEqual(foundFor("ann"), [10, 15])
    assert.deepStrictEqual(foundFor("ann,"), [10])
    assert.deepStrictEqual(foundFor("анна"), [37])
    assert.lengthOf(find(blocks, "ann"), 5)
  })
})

describe("makeHeights", () => {
  it.prop(
    "finds each block's position from the measured heights",
    { guesses: Schema.Array(Schema.Literals([10, 30, 52])), place: Schema.Literals([0, 1, 5]) },
    ({ guesses, place }) => {
      const heights = makeHeights(guesses)
      heights.note([{ index: place, height: 77 }])
      const now = guesses.map((guess, index) => (index === place ? 77 : guess))
      let top = 0
      for (const [index, height] of now.entries()) {
        assert.strictEqual(heights.topOf(index), top)
        assert.strictEqual(heights.indexAt(top), index)
        assert.strictEqual(heights.indexAt(top + height - 1), index)
        top += height
      }
      assert.strictEqual(heights.topOf(now.length), top)
    }
  )
})
