import { assert, describe, it } from "vitest"
import { parts } from "../../packages/server/src/settings/Variables.ts"
import { withTables } from "../documents/SettingTables.ts"

const page = (table: string) =>
  `Words.\n\n<!-- settings: A part -->\n${table}\n<!-- end of settings -->\n\nMore words.\n`

const head =
  "| variable | default | may be | what it does | seen in a test |\n" +
  "| --- | --- | --- | --- | --- |"

describe("the page about configuration", () => {
  it("has a row for each variable, between the marks of its part", () => {
    const range = { minimum: 1, maximum: 9 }
    const variables = [
      { name: "SIZE", unset: "2", does: "how large", range },
      { name: "PLACE", unset: { words: "here" }, does: "where", expected: "file:<folder>" },
      { name: "API_KEY", unset: "", does: "who" }
    ]
    const evidence = {
      SIZE: { value: "7", seen: "`GET /` tells it" },
      PLACE: { seen: "`GET /` is there" },
      API_KEY: { value: "sk-1", seen: "`GET /` shows it" }
    }
    const table = [
      head,
      "| `VERBATIM_SIZE` | `2` | a whole number from 1 to 9 | how large | `7`: `GET /` tells it |",
      "| `VERBATIM_PLACE` | here | file:‹folder› | where | `GET /` is there |",
      "| `VERBATIM_API_KEY` | none | any text | who | `GET /` shows it |"
    ].join("\n")
    const source = { parts: [{ heading: "A part", variables }], evidence }
    assert.strictEqual(withTables(page("old"), source), page(`\n${table}\n`))
    assert.strictEqual(withTables(page(`\n${table}\n`), source), page(`\n${table}\n`))
  })

  it("has no part without marks, and no marks without a part", () => {
    assert.throws(() => withTables("Words.\n", { parts, evidence: {} }), "without marks")
    assert.throws(() => withTables(page(""), { parts: [], evidence: {} }), "without a part")
  })
})
