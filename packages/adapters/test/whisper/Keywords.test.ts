import { assert, describe, it } from "@effect/vitest"
import type { Word } from "@verbatim/core/transcription"
import { Schema } from "effect"
import * as Keywords from "#src/whisper/Keywords"
import { missingToken, toTokens, toVocabulary } from "#src/whisper/Tokens"

/** Words that sound alike, and words that do not. */
const spellings = [
  "Phebe",
  "Phoebe",
  "phoebe,",
  "Phoe",
  "be",
  "Zoë",
  "Zoe",
  "silence",
  "a"
] as const

const Text = Schema.Array(Schema.Literals(spellings)).check(Schema.isMaxLength(7))

const Names = Schema.Array(Schema.Literals(["Phoebe", "Zoë", "Phoebe Zoë", "be"])).check(
  Schema.isMaxLength(3)
)

/** Returns words that take 200 ms each, with a pause of 300 ms after each word. */
const timed = (texts: ReadonlyArray<string>): ReadonlyArray<Word> =>
  texts.map((text, index) => ({ startMillis: index * 500, endMillis: index * 500 + 200, text }))

const merge = (
  plain: ReadonlyArray<string>,
  biased: ReadonlyArray<string>,
  ...keywords: ReadonlyArray<string>
) => Keywords.mergeKeywords({ plain: timed(plain), biased: timed(biased) }, keywords)

const textOf = (words: ReadonlyArray<Word>): string => words.map(({ text }) => text).join(" ")

const lower = (text: string): string => text.toLowerCase().replace(",", "")

describe("keywords in recognition", () => {
  it("replace one or more misheard words", () => {
    const hear = (plain: string, biased: string, ...keywords: ReadonlyArray<string>) =>
      textOf(merge(plain.split(" "), biased.split(" "), ...keywords))
    assert.strictEqual(hear("ask Phebe now", "ask Phoebe now", "Phoebe"), "ask Phoebe now")
    assert.strictEqual(hear("ask phoe be", "ask Phoebe", "Phoebe"), "ask Phoebe")
    assert.strictEqual(hear("so E baker", "Zoë Baker", "Zoë Baker"), "Zoë Baker")
    assert.strictEqual(hear("dear ann", "dear Ann", "Ann"), "dear Ann")
    // The second decoding may also differ in other words.
    assert.strictEqual(hear("see Phebe go", "sea Phoebe goes", "Phoebe"), "see Phoebe go")
    assert.strictEqual(hear("ask phoe now", "ask Phoebe a now", "Phoebe"), "ask phoe now")
    // A keyword has no effect if it does not sound like the word, or appears between two words.
    assert.strictEqual(hear("ask him", "ask Phoebe", "Phoebe"), "ask him")
    assert.strictEqual(hear("ask now", "ask Phoebe now", "Phoebe"), "ask now")
  })

  it.prop(
    "never add words other than themselves",
    [Text, Text, Names],
    ([plain, biased, names]) => {
      const allowed = new Set([...plain, ...names.flatMap((name) => name.split(" "))].map(lower))
      for (const { text } of merge(plain, biased, ...names)) assert.isTrue(allowed.has(lower(text)))
    }
  )

  it.prop(
    "appear only where speech was heard, in chronological order",
    [Text, Text, Names],
    ([plain, biased, names]) => {
      const heard = timed(plain)
      let latest = 0
      for (const { endMillis, startMillis } of merge(plain, biased, ...names)) {
        assert.isTrue(
          heard.some((word) => startMillis < word.endMillis && word.startMillis < endMillis)
        )
        assert.isAtLeast(startMillis, latest)
        latest = endMillis
      }
    }
  )

  it.prop(
    "change nothing if there are none, or if both decodings agree",
    [Text, Text, Names],
    ([plain, biased, names]) => {
      assert.deepStrictEqual(merge(plain, biased), timed(plain))
      assert.deepStrictEqual(merge(plain, plain, ...names), timed(plain))
      assert.deepStrictEqual(merge([], biased, ...names), [])
      assert.deepStrictEqual(merge(plain, [], ...names), timed(plain))
    }
  )

  it("are sent with slashes between them, and without hot-word syntax", () => {
    const hotWords = Keywords.toHotWords(["Zoë Baker", "TCP/IP", "a:2.0 #3 @b", " / "])
    assert.strictEqual(hotWords, "Zoë Baker/TCP IP/a 2.0 3 b")
    const vocabulary = toVocabulary("\u2581Ph 0\n  1\n<blk> 2\n")
    assert.strictEqual(vocabulary, "\u2581Ph\t-1.0\n \t-1.0\n<blk>\t-1.0\n")
  })
})

describe("a tokenizer", () => {
  it("becomes a list of tokens in base64, in order of their numbers", () => {
    const vocab = { "\u2581caf": 2, "<0xC3>": 0, "<0xA9>": 1, constructor: 3 }
    const added_tokens = [{ id: 4, content: "</s>" }]
    const lines = toTokens(JSON.stringify({ model: { vocab }, added_tokens })).split("\n")
    const tokens = lines.slice(0, 5).map((line) => line.split(" "))
    const bytes = tokens.map(([token = ""]) => Buffer.from(token, "base64"))
    assert.strictEqual(Buffer.concat(bytes).toString("latin1"), "\u00c3\u00a9 cafconstructor</s>")
    assert.deepStrictEqual(
      tokens.map(([, id]) => id),
      ["0", "1", "2", "3", "4"]
    )
    const [missing, number] = lines[5]?.split(" ") ?? []
    assert.strictEqual(Buffer.from(missing ?? "", "base64").toString(), missingToken)
    assert.strictEqual(number, "5")
  })
})
