import { assert, describe, it } from "@effect/vitest"
import { encodeFile } from "@verbatim/core/preset"
import { Result, type Schema } from "effect"
import { parse } from "yaml"
import { fileNamesOf } from "#src/presets/PresetFolder"
import { readPreset, readYaml } from "#src/presets/PresetReader"
import { writePreset, writeYaml } from "#src/presets/PresetWriter"
import { jsonObject, presetFile, text } from "./GeneratedPresets.ts"

const read = (yaml: string): Schema.Json => Result.getOrThrow(readYaml(yaml)).document

const written = (value: unknown): string => JSON.stringify(value)

const refusal = (yaml: string): string => {
  const result = readYaml(yaml)
  return Result.isFailure(result) ? `${result.failure.line}: ${result.failure.sentence}` : "taken"
}

const runs = { runs: 150 } as const

describe("JSON as YAML", () => {
  it.prop(
    "is read back unchanged, with all digits and with its keys in order",
    [jsonObject],
    ([object]) => {
      assert.strictEqual(written(read(writeYaml(object))), written(object))
    },
    { arbitrary: runs }
  )

  it.prop(
    "contains strings that the YAML library reads back unchanged in any context",
    [text],
    ([value]) => {
      const yaml = writeYaml({ before: 1, value, after: [value, { value }] })
      assert.deepStrictEqual(parse(yaml), { before: 1, value, after: [value, { value }] })
    },
    { arbitrary: runs }
  )

  it("shows invisible characters as escapes, and long strings line by line", () => {
    const yaml = writeYaml({
      prompt: "You write notes.\n\n  Be short.\n",
      hidden: "be\u200b\u202e kind\u{e0041}",
      model: "openai/gpt-4o:free",
      doubtful: ["no", "12", "a: b", " a", ""],
      nothing: { list: [], object: {} }
    })
    assert.strictEqual(
      yaml,
      `prompt: |
  You write notes.

    Be short.
hidden: "be\\u200b\\u202e kind\\U000e0041"
model: openai/gpt-4o:free
doubtful:
  - "no"
  - "12"
  - "a: b"
  - " a"
  - ""
nothing:
  list: []
  object: {}
`
    )
  })
})

describe("YAML text", () => {
  it("is refused with a line number where YAML parsers disagree", () => {
    const refusals: ReadonlyArray<readonly [yaml: string, explanation: string]> = [
      ["a: &x 1\nb: *x", "1: anchors are not accepted"],
      ["a: 1\n---\nb: 2", "2: a second document begins here; a file holds one preset"],
      ["a: 1\nb: *x", "2: aliases are not accepted"],
      ["a: !!binary aGk=", "1: tags are not accepted"],
      ["a:\n  !x {b: 1}", "2: tags are not accepted"],
      ["a: !env SECRET", "1: tags are not accepted"],
      ["&x a: 1", "1: anchors are not accepted"],
      ["b: {!!str a: 1}", "1: tags are not accepted"],
      ["%YAML 1.1\n---\na: 1", "1: directives are not accepted"],
      ["a: 1\nb: 2\na: 3", '3: "a" appears twice'],
      ["a:\nb: 1", "1: the value is missing: write null"],
      ["a: yes", "1: yes is ambiguous in YAML: use quotes"],
      ["1: a", "1: a name must be text: use quotes"],
      ["\n# only a comment", "1: the value is missing: write null"]
    ]
    for (const [yaml, explanation] of refusals) assert.strictEqual(refusal(yaml), explanation)
    for (const number of ["0x1F", "0o17", "01", "+1", ".5", "1.", ".inf", "~", "True", "NULL"]) {
      assert.match(refusal(`a: ${number}`), /^1: write numbers, true, false and null as JSON/)
    }
    assert.match(refusal("a: [1, 2"), /^1: /)
    assert.match(refusal("\ta: 1"), /^1: Tabs/)
  })

  it("is read without merging keys, and its strings stay strings", () => {
    assert.deepStrictEqual(read("<<: {a: 1}\nwhen: 2026-01-01\nb: 'no' # yes"), {
      "<<": { a: 1 },
      when: "2026-01-01",
      b: "no"
    })
  })

  it("is refused if it is too large or too deeply nested", () => {
    const deep = Array.from({ length: 66 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")
    const attacks = [
      `a: ${"[".repeat(20_000)}`,
      `${"- ".repeat(20_000)}a`,
      `${"? ".repeat(20_000)}a`,
      `${deep} 1`,
      `a: [${"1,".repeat(100_001)}]`,
      `a: [${"*a,".repeat(1_000)}]`,
      `a: "${"x".repeat(9_000_000)}"`
    ]
    for (const attack of attacks)
      assert.match(refusal(attack), /at most|longer than|not accepted|too much nesting/)
  })
})

describe("a preset file", () => {
  it.prop(
    "is unchanged after it is read and written again, in both formats",
    [presetFile],
    ([preset]) => {
      for (const format of ["yaml", "json"] as const) {
        const text = writePreset(preset, format)
        const again = Result.getOrThrow(readPreset({ file: "a", text, format }))
        assert.strictEqual(written(encodeFile(again)), written(encodeFile(preset)))
        assert.strictEqual(writePreset(again, format), text)
      }
    },
    { arbitrary: runs }
  )

  const problem = (yaml: string, format: "json" | "yaml" = "yaml"): string => {
    const result = readPreset({ file: "a.yaml", text: yaml, format })
    return Result.isFailure(result) ? result.failure.message : "taken"
  }

  it("is refused with a message that names the line of the mistake", () => {
    const head = "slug: notes\nconfig:\n  model: a\n"
    const problems: ReadonlyArray<readonly [yaml: string, explanation: string]> = [
      [`${head}  temprature: 1\n`, "a.yaml:4: config.temprature: a preset does not keep it"],
      [`${head}  input: hi\n`, "a.yaml:4: config.input: belongs in system_prompt"],
      [`${head}  instructions: hi\n`, "config.instructions: belongs in system_prompt"],
      [`${head}  seed: null\n`, "a.yaml:4: config.seed: must not be null: leave it out"],
      [`${head}  temperature: hot\n`, "a.yaml:4: config.temperature: "],
      [`${head}staus: active\n`, "a.yaml:4: staus: unknown property"],
      [`${head}status: gone\n`, "a.yaml:4: status: "],
      [`${head}name: "a\\0"\n`, "a.yaml:4: name: must not contain NUL"],
      [`${head}system_prompt: "a\\uD800"\n`, "a.yaml:4: system_prompt: "],
      [`${head}format: messages\nsystem_prompt: ""\n`, "system_prompt: must not be empty"],
      ["slug: a/b\nconfig: {}\n", "a.yaml:1: slug: "],
      ["slug: notes\n", "a.yaml:1: config: required"],
      ["- slug\n", "a.yaml:1: "]
    ]
    for (const [yaml, explanation] of problems) assert.include(problem(yaml), explanation)
    assert.strictEqual(problem("slug: notes\nconfig: {}\n", "json"), "a.yaml: it is not JSON")
  })

  it("can omit fields, which then get the values of a new preset", () => {
    const preset = readPreset({ file: "a", text: "slug: notes\nconfig: {}", format: "yaml" })
    assert.deepStrictEqual(encodeFile(Result.getOrThrow(preset)), {
      slug: "notes",
      name: "notes",
      description: null,
      status: "active",
      format: "responses",
      system_prompt: null,
      config: {}
    })
  })

  it("is stored in full, or refused with a list of the fields that would be lost", () => {
    const block = "{type: text, text: A, cache_control: {type: ephemeral}}"
    const head = "slug: a\nformat: messages\nsystem_prompt: A\n"
    const blocks = `${head}config: {system: [${block}], model: m}`
    const preset = readPreset({ file: "a", text: blocks, format: "yaml" })
    const { content } = Result.getOrThrow(preset)
    assert.deepStrictEqual(Object.keys(content.config), ["model", "system"])
    const tool = "{type: mcp, server_label: l, server_url: 'https://a.test', authorization: x}"
    const secret = `slug: a\nconfig: {tools: [${tool}]}`
    const refused = Result.flip(readPreset({ file: "a", text: secret, format: "yaml" }))
    assert.match(
      Result.getOrThrow(refused).message,
      /config\.tools\.0\.authorization: a preset keeps no secret: it belongs in requests/
    )
  })
})

describe("a file name", () => {
  it("is unique for each slug, even if a disk ignores case or limits name length", () => {
    const slugs = ["notes", "Notes", "NOTES", "con", "con.a", "a.", "-a", "~", ".git", "a~b"]
    const long = [1, 2].map((last) => `${"x".repeat(254)}${last}`)
    const names = [...slugs, ...long].flatMap((slug) =>
      fileNamesOf(slug, "yaml").map((name) => name.toLowerCase())
    )
    assert.strictEqual(new Set(names).size, names.length)
    for (const name of names) {
      assert.isBelow(name.length, 250)
      assert.notMatch(name, /^\.|^con\b|\.\.yaml$|^-/)
    }
    assert.strictEqual(fileNamesOf("notes.v2", "json")[0], "notes.v2.json")
  })
})
