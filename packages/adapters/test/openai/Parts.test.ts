import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { checkForm, splitIntoParts, truncateBytes } from "#src/openai/OpenAiSummarizer"

const text = Schema.String.check(Schema.isMaxLength(60))
const wellFormed = (line: string) => line.toWellFormed().replace(/\s+/g, " ").trim()

describe("the parts of a transcript", () => {
  it.prop(
    "fit the limit, and together contain every word in order",
    [Schema.Array(text), Schema.Int.check(Schema.isBetween({ minimum: 8, maximum: 200 }))],
    ([lines, byteMax]) => {
      const given = lines.map(wellFormed)
      const found = splitIntoParts(given, byteMax)
      for (const part of found) assert.isAtMost(Buffer.byteLength(part), byteMax)
      assert.isFalse(found.some((part) => part === "" || part.includes("\ufffd\ufffd")))
      const letters = (all: ReadonlyArray<string>) => all.join("").replace(/\s/g, "")
      assert.strictEqual(letters(found), letters(given))
    }
  )

  it("begin with as many whole lines as fit the limit", () => {
    assert.strictEqual(truncateBytes("- one\n- two\n- three", 14), "- one\n- two")
    assert.strictEqual(truncateBytes("short", 14), "short")
    assert.strictEqual(truncateBytes("日本語です", 8), "日本")
  })
})

describe("the form of a summary", () => {
  const subject = { language: "en", sentenceCount: 9 } as const

  it("is checked by counting sentences, paragraphs and headings", () => {
    assert.deepStrictEqual(checkForm("brief", "One.\n\nTwo.", subject).text, "One. Two.")
    assert.isUndefined(checkForm("brief", "One.", subject).text)
    assert.strictEqual(checkForm("brief", "One.", { ...subject, sentenceCount: 1 }).text, "One.")
    assert.strictEqual(checkForm("medium", "a\n\nb\n \nc\n\nd\ne", subject).text, "a\n\nb\n\nc d e")
    const long = "## A\n\na\n\n## B\n\nb\n\n## 1. C\nc"
    assert.strictEqual(checkForm("long", long, subject).text, long)
    assert.isUndefined(checkForm("long", "## A\n## B\n## C\n", subject).text)
  })

  it("is checked by closing punctuation only if the language has it", () => {
    const chinese = { ...subject, language: "zh" } as const
    assert.strictEqual(checkForm("brief", "一。二。三。四。", chinese).text, "一。二。三。")
    const thai = { ...subject, language: "th" } as const
    assert.strictEqual(checkForm("brief", "สวัสดี ครับ", thai).problem, undefined)
  })
})
