import { assert, describe, it } from "vitest"
import { blank } from "../tidy/Blank.ts"

/** The blanked code with runs of spaces shortened. */
const seen = (text: string): string => blank(text).replace(/ +/g, " ").trim()

describe("blank", () => {
  const cases = [
    ["a // b", "a"],
    ["a /* b\n c */ d", "a \n d"],
    ['a("b\\"c")', 'a(" ")'],
    ["a('it\\'s')", "a(' ')"],
    ["a / b / c", "a / b / c"],
    ["a = /b'[/]c/g + d", 'a = " " + d'],
    ["return /'/", 'return " "'],
    ["f() / 2 // 3", "f() / 2"],
    ["`a ${b} c`", "` (b) `"],
    ["`a ${b({ c: `d ${e}` })} f` + g", "` (b({ c: ` (e)` })) ` + g"],
    ["`a $ b \\` c` + d", "` ` + d"],
    ['"//" + a', '" " + a']
  ] as const
  for (const [text, code] of cases) {
    it(`sees ${JSON.stringify(code)} in ${JSON.stringify(text)}`, () => {
      assert.strictEqual(seen(text), code)
    })
  }

  it("keeps every character and every line in its place", () => {
    for (const [text] of cases) {
      assert.strictEqual(blank(text).length, text.length)
      assert.strictEqual(blank(text).split("\n").length, text.split("\n").length)
    }
  })
})
