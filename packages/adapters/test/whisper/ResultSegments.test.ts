import { assert, describe, it } from "@effect/vitest"
import * as ResultSegments from "#src/whisper/ResultSegments"
import * as Speakers from "#src/whisper/Speakers"
import { toRows } from "../engines/Rows.ts"

const said = (result: Partial<Parameters<typeof ResultSegments.toSegments>[0]>) =>
  ResultSegments.toSegments(
    { lang: "en", text: "x", tokens: [], timestamps: [], ...result },
    10_000
  )

describe("the words of a piece", () => {
  it("are empty if there is no text", () => {
    assert.deepStrictEqual(said({ text: "  " }), [])
  })

  it("have the timestamps of the model, limited to the piece", () => {
    const spoken = said({
      segment_texts: [" one", " two ", " "],
      segment_timestamps: [0.5, 9, 9.5],
      segment_durations: [1, 30, 1]
    })
    assert.deepStrictEqual(spoken, [
      { startMillis: 500, endMillis: 1_500, text: "one", hasSpaceBefore: true },
      { startMillis: 9_000, endMillis: 10_000, text: "two", hasSpaceBefore: true }
    ])
  })

  it("are added to the model's segments if they spell the segments' text", () => {
    const wordsIn = (tokens: ReadonlyArray<string>, ...segment_texts: ReadonlyArray<string>) =>
      said({
        ...{ tokens, segment_texts, timestamps: tokens.map((_, index) => index) },
        segment_timestamps: segment_texts.map((_, index) => 0.5 + 2 * index),
        segment_durations: segment_texts.map(() => 2)
      }).map(({ words }) => words?.map((word) => [word.startMillis, word.endMillis, word.text]))
    assert.deepStrictEqual(wordsIn([" Good", " day", ".", " Bye"], " Good day.", " Bye"), [
      // The words are limited to their segment.
      [
        [500, 500, "Good"],
        [1_000, 2_300, "day."]
      ],
      [[3_000, 3_300, "Bye"]]
    ])
    const none = [undefined, undefined]
    // A word continues in the next segment.
    assert.deepStrictEqual(wordsIn([" Hel", "lo"], " Hel", "lo"), none)
    // A character is split into two tokens, which are not characters.
    assert.deepStrictEqual(wordsIn([" a", "\ufffd", "\ufffd"], " a", "龘"), none)
    assert.deepStrictEqual(wordsIn([" a"], " a", " b"), none)
  })

  it("continue the previous word if the model writes spaces, but none before the segment", () => {
    const spaces = (...segment_texts: ReadonlyArray<string>) =>
      said({ segment_texts }).map(({ hasSpaceBefore }) => hasSpaceBefore)
    assert.deepStrictEqual(spaces(" Hel", "lo wor", "ld."), [true, false, false])
    assert.deepStrictEqual(spaces(" Good.", " Bye."), [true, true])
    assert.deepStrictEqual(spaces("今天", "天气"), [undefined, undefined])
    assert.deepStrictEqual(spaces("我用", " iPhone"), [undefined, true])
  })

  it("are characters in scripts without spaces, and whole words in other scripts", () => {
    const tokens = ["今", "天", "用", "\u2581i", "Phone", "の", "。", "日"]
    const timestamps = tokens.map((_, index) => index / 4)
    const [first, second, ...others] = said({ tokens, timestamps })
    assert.deepStrictEqual([first?.text, second?.text, others], ["今天用 iPhoneの。", "日", []])
    assert.deepStrictEqual(
      first?.words?.map(({ text }) => text),
      ["今", "天", "用", "iPhone", "の。"]
    )
    assert.isFalse(second?.hasSpaceBefore)
  })

  it("form one segment if the model returns no timestamps", () => {
    const whole = [{ startMillis: 0, endMillis: 10_000, text: "x" }]
    assert.deepStrictEqual(said({}), whole)
  })

  it("are joined from tokens, and split into segments at pauses and sentence ends", () => {
    const spoken = said({
      tokens: [" Good", " mor", "ning", ".", "\u2581Who", " calls", " now"],
      timestamps: [0, 0.4, 0.6, 0.8, 1, 1.2, 4],
      durations: [0.3, 0.2, 0.2, 0.1, 0.2, 0.2, 0.5]
    })
    const texts = spoken.map(({ text }) => text)
    assert.deepStrictEqual(texts, ["Good morning.", "Who calls", "now"])
    assert.deepStrictEqual(spoken[0]?.words?.[1], {
      startMillis: 400,
      endMillis: 900,
      text: "morning."
    })
  })
})

describe("the speakers of segments", () => {
  const turn = (speaker: number, startMillis: number, endMillis: number) => ({
    speaker,
    startMillis,
    endMillis
  })
  const spoken = (startMillis: number, endMillis: number, text = "x") => ({
    startMillis,
    endMillis,
    text
  })
  const speakersOf = (
    segments: Parameters<typeof Speakers.assignSpeakers>[0],
    turns: ReadonlyArray<ReturnType<typeof turn>>
  ) => Speakers.assignSpeakers(segments, turns)

  it("are numbered in order of appearance, by the main voice of each segment", () => {
    const turns = [turn(7, 0, 1_000), turn(3, 1_000, 3_000), turn(7, 3_000, 4_000)]
    const segments = [spoken(0, 900), spoken(900, 2_000), spoken(3_100, 3_900)]
    const speakers = speakersOf(segments, turns).map(({ speaker }) => speaker)
    assert.deepStrictEqual(speakers, ["speaker_0", "speaker_1", "speaker_0"])
  })

  it("are those of the nearest voice if none overlaps, and only one if there are no turns", () => {
    const near = speakersOf(
      [spoken(0, 100), spoken(5_000, 5_100)],
      [turn(0, 200, 300), turn(1, 4_000, 4_900)]
    )
    assert.deepStrictEqual(
      near.map(({ speaker }) => speaker),
      ["speaker_0", "speaker_1"]
    )
    assert.strictEqual(speakersOf([spoken(0, 1)], [])[0]?.speaker, "speaker_0")
  })

  it("split a segment where the voice changes between two words", () => {
    const words = [spoken(0, 500, "are"), spoken(500, 900, "you"), spoken(1_000, 1_500, "yes")]
    const segment = { ...spoken(0, 1_500, "are you yes"), words }
    const parted = speakersOf([segment], [turn(0, 0, 950), turn(1, 950, 2_000)])
    assert.deepStrictEqual(toRows(parted), [
      [0, 900, "speaker_0", "are you"],
      [1_000, 1_500, "speaker_1", "yes"]
    ])
  })

  it("split a segment without a change to its text, whatever is between the words", () => {
    const words = [spoken(0, 500, "don"), spoken(500, 900, "'t"), spoken(1_000, 1_500, "I")]
    const segment = { ...spoken(0, 1_500, "don't. I?"), hasSpaceBefore: false, words }
    const cut = (second: number) =>
      speakersOf([segment], [turn(0, 0, second), turn(1, second, 2_000)]).map(
        ({ hasSpaceBefore, text }) => [hasSpaceBefore, text]
      )
    assert.deepStrictEqual(cut(950), [
      [false, "don't."],
      [true, "I?"]
    ])
    assert.deepStrictEqual(cut(500), [
      [false, "don"],
      [false, "'t. I?"]
    ])
  })

  it("do not split a segment if its words differ from its text", () => {
    const words = [spoken(0, 500, "2"), spoken(500, 900, "pm"), spoken(1_000, 1_500, "yes")]
    const segment = { ...spoken(0, 1_500, "two p.m. Yes."), words }
    const whole = speakersOf([segment], [turn(0, 0, 950), turn(1, 950, 2_000)])
    assert.deepStrictEqual(whole, [{ ...segment, speaker: "speaker_0" }])
  })
})
