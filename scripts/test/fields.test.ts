import { assert, describe, it } from "vitest"
import { formats } from "../../packages/core/src/domain/request/RequestFormat.ts"
import { fieldTables, headings } from "../documents/FieldTables.ts"

describe("the page about fields", () => {
  it("has a section for each format and a row for each field", () => {
    const page = fieldTables(formats)
    assert.sameMembers(
      formats.map(({ name }) => name as string),
      Object.keys(headings)
    )
    for (const { path, title } of Object.values(headings)) {
      assert.include(page, `## ${title}\n\n\`POST ${path}\`\n`)
    }
    for (const { fields } of formats) {
      for (const [name, { reason }] of Object.entries(fields)) {
        assert.match(page, new RegExp(`^\\| \`${name}\` \\| [a-z ]+ \\| ${reason} \\|$`, "m"))
      }
    }
  })

  it("tells fate and reason in a row", () => {
    const fields = { a: { fate: "systemPrompt", reason: "is the system prompt" } }
    assert.include(
      fieldTables([{ name: "responses", fields }]),
      "| `a` | system prompt | is the system prompt |"
    )
  })
})
