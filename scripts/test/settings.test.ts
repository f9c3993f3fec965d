import { assert, describe, it } from "vitest"
import { parts } from "../../packages/server/src/settings/Variables.ts"
import { withTables } from "../documents/SettingTables.ts"

const page = (table: string) =>
  `Words.\n\n<!-- settings: A part -->\n${table}\n<!-- end of settings -->\n\nMore words.\n`

const head = "| variable | default | may be | what it does |\n" + "| --- | --- | --- | --- |"

describe("the page about configuration", () => {
  it("has a row for each variable, between the marks of its part", () => {
    const range = { minimum: 1, maximum: 9 }
    const variables = [
      { name: "SIZE", unset: "2", does: "how large", range },
      { name: "PLACE", unset: { words: "here" }, does: "where", expected: "file:<folder>" },
      { name: "API_KEY", unset: "", does: "who" }
    ]
    const table = [
      head,
      "| `VERBATIM_SIZE` | `2` | a whole number from 1 to 9 | how large |",
      "| `VERBATIM_PLACE` | here | file:‹folder› | where |",
      "| `VERBATIM_API_KEY` | none | any text | who |"
    ].join("\n")
    const source = [{ heading: "A part", variables }]
    assert.strictEqual(withTables(page("old"), source), page(`\n${table}\n`))
    assert.strictEqual(withTables(page(`\n${table}\n`), source), page(`\n${table}\n`))
  })

  it("has no part without marks, and no marks without a part", () => {
    assert.throws(() => withTables("Words.\n", parts), "without marks")
    assert.throws(() => withTables(page(""), []), "without a part")
  })
})
