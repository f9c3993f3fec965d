import { assert, describe, it } from "vitest"
import { parts } from "../../packages/verbatim/test/settings/Variables.ts"
import { withTables } from "../documents/SettingTables.ts"

const page = (table: string) =>
  `Words.\n\n<!-- settings: A part -->\n${table}\n<!-- end of settings -->\n\nMore words.\n`

const head = "| variable | default | what it does | seen in a test |\n| --- | --- | --- | --- |"

describe("the page about configuration", () => {
  it("has a row for each variable, between the marks of its part", () => {
    const variables = [
      { name: "SIZE", unset: "2", does: "how large", value: "7", seen: "`GET /` tells it" },
      { name: "PLACE", unset: { words: "here" }, does: "where", seen: "`GET /` is there" },
      { name: "API_KEY", unset: "", does: "who", value: "sk-1", seen: "`GET /` shows it" }
    ]
    const table = [
      head,
      "| `VERBATIM_SIZE` | `2` | how large | `7`: `GET /` tells it |",
      "| `VERBATIM_PLACE` | here | where | `GET /` is there |",
      "| `VERBATIM_API_KEY` | none | who | `GET /` shows it |"
    ].join("\n")
    const given = [{ heading: "A part", variables }]
    assert.strictEqual(withTables(page("old"), given), page(`\n${table}\n`))
    assert.strictEqual(withTables(page(`\n${table}\n`), given), page(`\n${table}\n`))
  })

  it("has no part without marks, and no marks without a part", () => {
    assert.throws(() => withTables("Words.\n", parts), "without marks")
    assert.throws(() => withTables(page(""), []), "without a part")
  })
})
