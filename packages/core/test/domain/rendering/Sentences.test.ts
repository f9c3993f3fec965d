/** Sentences follow the rules of the language, and no text is lost between them. */
import { assert, describe, it } from "@effect/vitest"
import { sentences } from "#src/domain/rendering/Sentences"
import type { Transcript } from "#src/domain/transcription/Transcript"
import { type Examples, spoken, withWords } from "./spoken.ts"
import { anyTranscript, letters, transcriptOf } from "./transcripts.ts"

/** Formats each sentence as `start-end text`, with timestamps in milliseconds. */
const read = (transcript: Transcript) =>
  sentences(transcript).map(
    ({ endMillis, startMillis, text }) => `${startMillis}-${endMillis} ${text}`
  )

/** Examples of speech, and the expected sentences. */
const examples: Examples = {
  "join segments that continue the same sentence": [
    ["0-500 The boats", "500-1000 have left.", "1200-2000 When do", "2000-2500 they return?"],
    ["0-1000 The boats have left.", "1200-2500 When do they return?"]
  ],
  "have their segment's timestamps if the segment contains several sentences": [
    ["0-2000 We left. It rained.", "3000-4000 Then we", "4000-5000 slept. Good night."],
    ["0-2000 We left.", "0-2000 It rained.", "3000-5000 Then we slept.", "4000-5000 Good night."]
  ],
  "consist of one segment each if there is no closing punctuation": [
    [
      "0-1000 we left early",
      "1000-2000  and it rained\n",
      "2000-3000 ",
      "3000-4000 at 3 o'clock, all day"
    ],
    ["0-1000 we left early", "1000-2000 and it rained", "3000-4000 at 3 o'clock, all day"]
  ],
  "include an unfinished sentence as a whole if other sentences have marks": [
    ["0-1000 We left.", "1000-2000 And then", "2000-3000 it"],
    ["0-1000 We left.", "1000-3000 And then it"]
  ],
  "never start earlier than the previous sentence if speech overlaps": [
    ["5000-6000 We left.", "3000-4000 1: No.", "4000-7000 Yes."],
    ["5000-6000 We left.", "5000-5000 No.", "5000-7000 Yes."]
  ]
}

describe("Sentences", () => {
  it.each(Object.entries(examples))("%s", (_title, [given, expected]) => {
    assert.deepStrictEqual(read(spoken(given)), expected)
  })

  it.each([
    ["spelt with their marks", ["We", "left.", "It", "rained."]],
    ["spelt without their marks", ["We", "left", "It", "rained"]]
  ])("use word timestamps if they are known, %s", (_, [a = "", b = "", c = "", d = ""]) => {
    const words = [a, b, c, d].map((text, index) => ({
      startMillis: index * 300,
      endMillis: index * 300 + 200,
      text
    }))
    const transcript = withWords(transcriptOf("en", [[0, 2, 0, "We left. It rained."]]), words)
    assert.deepStrictEqual(read(transcript), ["0-500 We left.", "600-1100 It rained."])
  })

  it("have the segment's timestamps if the engine's words do not match the text", () => {
    const words = [{ startMillis: 100, endMillis: 200, text: "rained" }]
    const transcript = withWords(transcriptOf("en", [[0, 2, 0, "We left. It rained."]]), words)
    assert.deepStrictEqual(read(transcript), ["0-2000 We left.", "0-2000 It rained."])
  })

  it("are split between segments if they last longer than three minutes", () => {
    const begin = ["0-90000 เรือ", "90000-120000 ออก"]
    const until = (end: number) =>
      sentences(spoken([...begin, `120000-${end} แล้ว?`, `${end}-190000 ครับ`], "th")).map(
        ({ text }) => text
      )
    assert.deepStrictEqual(until(180_000), ["เรือออกแล้ว?", "ครับ"])
    assert.deepStrictEqual(until(180_001), ["เรือ", "ออก", "แล้ว?", "ครับ"])
  })

  it.each([
    ["zh", ["船开了。", "什么时候", "回来？"], ["船开了。", "什么时候回来？"]],
    ["ja", ["船は出ました。いつ", "戻りますか？"], ["船は出ました。", "いつ戻りますか？"]],
    ["th", ["เรือ", "ออกแล้ว"], ["เรือ", "ออกแล้ว"]],
    ["hi", ["नाव चली गई।", "कब", "आएगी?"], ["नाव चली गई।", "कब आएगी?"]],
    ["el", ["Πού είσαι;", "Εδώ", "είμαι."], ["Πού είσαι;", "Εδώ είμαι."]],
    ["hy", ["Նավը գնաց։", "Ե՞րբ", "կգա։"], ["Նավը գնաց։", "Ե՞րբ կգա։"]],
    ["ar", ["غادر القارب.", "متى", "يعود؟"], ["غادر القارب.", "متى يعود؟"]],
    ["no such language", ["It left.", "When", "then?"], ["It left.", "When then?"]]
  ])("end at the closing punctuation of %s", (language, texts, expected) => {
    const rows = texts.map((text, index) => [index, index + 1, 0, text] as const)
    assert.deepStrictEqual(
      sentences(transcriptOf(language, rows)).map(({ text }) => text),
      expected
    )
  })

  it.prop("contain the whole text in its original order", [anyTranscript], ([transcript]) => {
    const given = transcript.segments.map(({ text }) => text).join(" ")
    const found = sentences(transcript)
    assert.strictEqual(letters(found.map(({ text }) => text).join("")), letters(given))
    assert.isTrue(found.every(({ text }) => text !== "" && text === text.trim()))
  })

  it.prop("never start before the preceding sentence", [anyTranscript], ([transcript]) => {
    let latest = 0
    for (const { endMillis, startMillis } of sentences(transcript)) {
      assert.isTrue(latest <= startMillis && startMillis <= endMillis)
      latest = startMillis
    }
  })
})
