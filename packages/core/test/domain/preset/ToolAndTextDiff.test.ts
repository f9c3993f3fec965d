/** Lists of tools are compared by name, and long texts line by line. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { diff, lineMax, textMax } from "#src/domain/preset/PresetDiff"
import { versionOf } from "../../services/presets/Versions.ts"

type Config = Schema.JsonObject

const differences = (from: Config, to: Config) => diff(versionOf(from), versionOf(to)).config

describe("the difference between two lists of tools or two texts", () => {
  const weather = { type: "function", name: "weather", parameters: { type: "object" } }
  const inChat = ({ type, ...inner }: typeof weather) => ({ type, function: inner })
  const server = { type: "mcp", server_label: "notes", server_url: "https://a.test" }

  it("compares tools by the name of the function or server, or by their type", () => {
    const search = { type: "web_search" }
    assert.deepStrictEqual(
      differences(
        { tools: [weather, server, search] },
        {
          tools: [
            { ...weather, description: "Looks outside." },
            { ...search, size: 1 }
          ]
        }
      ),
      [
        { path: "/tools/notes", kind: "removed", from: server },
        { path: "/tools/weather/description", kind: "added", to: "Looks outside." },
        { path: "/tools/web_search/size", kind: "added", to: 1 }
      ]
    )
    const clock = { type: "custom", custom: { name: "clock" } }
    assert.deepStrictEqual(
      differences({ tools: [inChat(weather), clock] }, { tools: [clock, inChat(weather)] }),
      [
        {
          ...{ path: "/tools", kind: "changed", is_order: true },
          ...{ from: ["weather", "clock"], to: ["clock", "weather"] }
        }
      ]
    )
  })

  it("compares a list of tools as a whole if a name is missing, a duplicate or a number", () => {
    for (const tools of [
      [weather, weather],
      [weather, {}],
      [weather, { name: "1" }]
    ]) {
      assert.deepStrictEqual(differences({ tools: [weather] }, { tools }), [
        { path: "/tools", kind: "changed", from: [weather], to: tools }
      ])
    }
  })

  it("shows the changed lines of multi-line texts", () => {
    const from = "Write minutes.\nBe brief.\n\nSign them."
    const to = "Write minutes.\n\nSign them.\nThank all.\nLeave."
    const lines = [
      { from: 2, removed: ["Be brief."], to: 2, added: [] },
      { from: 5, removed: [], to: 4, added: ["Thank all.", "Leave."] }
    ]
    const [old, next] = [from, to].map((systemPrompt) =>
      versionOf(
        { tools: [{ ...weather, description: systemPrompt }], model: systemPrompt.slice(0, 3) },
        { systemPrompt }
      )
    )
    if (old === undefined || next === undefined) return assert.fail("two versions were made")
    assert.deepStrictEqual(diff(old, next), {
      ...{ from: 1, to: 1, format: null },
      system_prompt: { from, to, lines },
      config: [{ path: "/tools/weather/description", kind: "changed", from, to, lines }],
      wins: null
    })
  })

  it("compares a limited number of texts line by line, and shows the others as a whole", () => {
    const texts = (last: string) =>
      Object.fromEntries(
        Array.from({ length: textMax + 1 }, (_, index) => [`a${index}`, `a\n${last}`])
      )
    const { config } = diff(versionOf(texts("b")), versionOf(texts("c")))
    assert.strictEqual(config.length, textMax + 1)
    assert.strictEqual(config.filter(({ lines }) => lines !== undefined).length, textMax)
  })

  it("shows the whole text if too many lines differ", () => {
    const added = (count: number) =>
      diff(
        versionOf({}, { systemPrompt: "a" }),
        versionOf({}, { systemPrompt: `a${"\nb".repeat(count)}` })
      ).system_prompt
    assert.isDefined(added(lineMax)?.lines)
    assert.isUndefined(added(lineMax + 1)?.lines)
  })

  const Prose = Arbitrary.schema(Schema.Array(Schema.Literals(["a", "b", "c", ""])))

  it.prop("lists changes that turn one text into the other", [Prose, Prose], ([one, other]) => {
    const prompts = [
      ["", ...one],
      ["", ...other]
    ].map((lines) => lines.join("\n"))
    const [from, to] = prompts.map((systemPrompt) => versionOf({}, { systemPrompt }))
    if (from === undefined || to === undefined) return assert.fail("two versions were made")
    const changes = diff(from, to).system_prompt?.lines ?? []
    const led = changes
      .toReversed()
      .reduce<ReadonlyArray<string>>(
        (lines, { added, from, removed }) => lines.toSpliced(from - 1, removed.length, ...added),
        ["", ...one]
      )
    assert.deepStrictEqual(led, ["", ...other])
  })
})
