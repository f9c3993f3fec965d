/**
 * Subtitles are readable: lines are short, and cues never overlap and end with a sentence if
 * possible.
 */
import { assert, describe, it } from "@effect/vitest"
import { type Cue, columns, cues, lineColumns, shownMillisMax } from "#src/domain/rendering/Cues"
import type { Transcript } from "#src/domain/transcription/Transcript"
import { type Examples, spoken, withWords } from "./spoken.ts"
import { anyTranscript, letters, transcriptOf } from "./transcripts.ts"

/** Formats each cue as `start-end first line|second line`, with timestamps in milliseconds. */
const read = (transcript: Transcript) =>
  cues(transcript).map(
    ({ endMillis, lines, startMillis }) => `${startMillis}-${endMillis} ${lines.join("|")}`
  )

const text = (all: ReadonlyArray<Cue>) => letters(all.flatMap(({ lines }) => lines).join(""))

const said = (transcript: Transcript) =>
  letters(transcript.segments.map((segment) => segment.text).join(""))

/** Examples of speech, and the expected cues. */
const examples: Examples = {
  "join segments up to the end of the sentence": [
    ["0-500 The boats", "500-1200 have left.", "1400-2000 When do", "2000-2700 they return?"],
    ["0-1200 The boats have left.", "1400-2700 When do they return?"]
  ],
  "combine sentences that are too short to be read separately": [
    ["0-300 Yes.", "300-600 No.", "600-2000 Perhaps tomorrow."],
    ["0-2000 Yes. No. Perhaps tomorrow."]
  ],
  "end at a pause of a second, and when the speaker changes": [
    ["0-1000 I think", "1999-3000 we", "4000-5000 should", "5000-6000 1: leave"],
    ["0-3000 I think we", "4000-5000 should", "5000-6000 leave"]
  ],
  "have two lines of similar width if the text is long": [
    ["0-5000 The boats have left this morning and nobody knows when they return"],
    ["0-5000 The boats have left this morning|and nobody knows when they return"]
  ],
  "last no longer than seven seconds": [
    ["0-10000 slow words here now", "60000-90000 Ohm"],
    ["0-5789 slow words", "5789-10000 here now", "60000-67000 Ohm"]
  ],
  "last at least a second if the next cue allows it": [
    ["0-200 No.", "700-900 1: Yes.", "5000-5100 So."],
    ["0-700 No.", "700-1700 Yes.", "4600-5100 So."]
  ],
  "leave no gap inside a long segment that has few words": [
    ["0-11000 hello there"],
    ["0-6000 hello", "6000-11000 there"]
  ],
  "share the remaining time at the end of the recording": [
    ["0-1000 Yes.", "1000-1000 1: No.", "1000-1000 So."],
    ["0-334 Yes.", "334-667 No.", "667-1000 So."]
  ],
  "show overlapping speech one after the other, with a small delay": [
    ["5000-8000 We left.", "5000-5500 1: No.", "4000-7000 Yes.", "12000-13000 So."],
    ["5000-5500 We left.", "5500-6000 No.", "6000-7000 Yes.", "12000-13000 So."]
  ]
}

describe("A transcript's cues", () => {
  it.each(Object.entries(examples))("%s", (_title, [given, expected]) => {
    assert.deepStrictEqual(read(spoken(given)), expected)
  })

  it("end after a clause if the whole sentence does not fit", () => {
    const clause = "they left the harbour before the sun was up that day,"
    const transcript = transcriptOf("en", [[0, 6, 0, `${clause} ${clause}`]])
    assert.deepStrictEqual(
      cues(transcript).map(({ lines }) => lines.join(" ")),
      [clause, clause]
    )
  })

  it("are at most two seconds late, even if many speakers talk at once", () => {
    const rows = Array.from({ length: 100 }, (_, index) => [5, 6, index % 2, "No."] as const)
    const found = cues(transcriptOf("en", [...rows, [8, 9, 0, "So."]]))
    assert.deepStrictEqual(found.at(-1)?.startMillis, 8000)
  })

  it("begin and end with their words if the word timestamps are known", () => {
    const words = ["We", "left.", "It", "rained."].map((text, index) => ({
      startMillis: index * 700,
      endMillis: index * 700 + 600,
      text
    }))
    const transcript = withWords(transcriptOf("en", [[0, 20, 0, "We left. It rained."]]), words)
    assert.deepStrictEqual(read(transcript), ["0-1300 We left.", "1400-2700 It rained."])
  })

  it.each([
    ["zh", "今天早上所有的船都离开了港口没有人知道他们什么时候会回来", 2],
    ["ja", "今朝すべての船が港を出ましたいつ戻るのか誰も知りません", 2],
    ["th", "เรือทุกลำออกจากท่าเรือเมื่อเช้านี้ไม่มีใครรู้ว่าจะกลับมาเมื่อไหร่", 2]
  ])("break text in the language %s between words", (language, text, count) => {
    const [cue] = cues(transcriptOf(language, [[0, 6, 0, text]]))
    const found = Array.from(
      new Intl.Segmenter(language, { granularity: "word" }).segment(text),
      ({ index }) => index
    )
    assert.strictEqual(cue?.lines.length, count)
    assert.strictEqual(cue?.lines.join(""), text)
    assert.include(found, cue?.lines[0]?.length)
  })

  it("keep punctuation on the same line as its word", () => {
    const text = "船开了，没有人知道。".repeat(8)
    const lines = cues(transcriptOf("zh", [[0, 20, 0, text]])).flatMap((cue) => cue.lines)
    assert.isTrue(lines.every((line) => !/^\p{P}/u.test(line)))
    const french = "Pourquoi les bateaux sont-ils partis hier ? Personne ne le sait vraiment !"
    const broken = cues(transcriptOf("fr", [[0, 0.9, 0, french]])).flatMap((cue) => cue.lines)
    assert.isTrue(broken.length > 1 && broken.every((line) => !/^\p{P}/u.test(line)))
  })

  it("break lines between words if possible, and otherwise between letters", () => {
    const chinese = cues(transcriptOf("en", [[0, 6, 0, "没有人知道他们什么时候会回来".repeat(3)]]))
    const noise = cues(transcriptOf("en", [[0, 6, 0, "a\u0301".repeat(100)]]))
    for (const line of [...chinese, ...noise].flatMap(({ lines }) => lines)) {
      assert.isAtMost(columns(line), lineColumns)
    }
    assert.isTrue(noise.every(({ lines }) => lines.every((line) => line.startsWith("a\u0301"))))
  })

  it.each([
    ["", 0],
    ["boat", 4],
    ["лодка", 5],
    ["船", 2],
    ["ボート", 6],
    ["배", 2],
    ["iPhone船", 8],
    ["เรือ", 3],
    ["e\u0301", 1],
    ["🚤", 2],
    ["𝒶", 1]
  ])("count %s as %d columns", (text, count) => {
    assert.strictEqual(columns(text), count)
  })

  it.prop("contain the whole text in its original order", [anyTranscript], ([transcript]) => {
    assert.strictEqual(text(cues(transcript)), said(transcript))
  })

  it.prop("have one or two lines, which fit and are not empty", [anyTranscript], ([transcript]) => {
    for (const { lines } of cues(transcript)) {
      assert.isTrue(lines.length === 1 || lines.length === 2)
      for (const line of lines) {
        assert.isTrue(line.trim() === line && line !== "")
        assert.isAtMost(columns(line), lineColumns)
      }
    }
  })

  it.prop("have timestamps that never decrease or overlap", [anyTranscript], ([transcript]) => {
    let free = 0
    for (const { endMillis, startMillis } of cues(transcript)) {
      assert.isTrue(free <= startMillis && startMillis < endMillis)
      assert.isTrue(Number.isInteger(startMillis) && Number.isInteger(endMillis))
      assert.isAtMost(endMillis - startMillis, shownMillisMax)
      free = endMillis
    }
  })

  it.prop("never end after the end of the recording", [anyTranscript], ([transcript]) => {
    const all = cues(transcript)
    // Each cue is shown for at least a millisecond.
    const endMillis = Math.max(transcript.durationMillis, all.length)
    assert.isTrue(all.every((cue) => cue.startMillis >= 0 && cue.endMillis <= endMillis))
  })
})
