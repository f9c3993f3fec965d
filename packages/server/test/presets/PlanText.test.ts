/** Tests plans printed as readable lines and as JSON. */
import { assert, describe, it } from "@effect/vitest"
import type { PresetFile } from "@verbatim/core/preset"
import { ExactNumber } from "@verbatim/core/schema"
import { Effect, Option, Result } from "effect"
import type { Api } from "#src/command/ApiCalls"
import { planAll } from "#src/presets/folderPlan"
import { planLines, presetJson, strayJson } from "#src/presets/PlanText"
import { readPreset } from "#src/presets/PresetReader"
import { agree, makeWorkspace } from "./presetWorkspace.ts"

/** This text would turn a terminal red, and a CI runner would take it for a command in its log. */
const hostile = "\u001b[31m\n::add-mask::a\u009b"

const planOf = (file: string, preset: PresetFile) =>
  planAll({
    filed: new Map([[preset.slug, { file, preset }]]),
    label: null,
    prune: false
  })

describe("a plan printed as lines", () => {
  it.effect("shows changes in format, order, named tools, and lines of long text", () =>
    Effect.gen(function* () {
      const file = (format: string, prompt: string, tools: ReadonlyArray<object>) => {
        const said = { slug: "notes", format, system_prompt: prompt, config: { model: "m", tools } }
        const read = readPreset({ file: "a", text: JSON.stringify(said), format: "json" })
        return Result.getOrThrow(read)
      }
      const search = { type: "web_search", search_context_size: "low" }
      const tool = (...names: ReadonlyArray<string>) => ({
        type: "function",
        name: "f",
        parameters: { properties: Object.fromEntries(names.map((name) => [name, {}])) }
      })
      yield* agree(file("responses", "A\nB\nC\nD", [search, tool("why", "answer")]))
      const wanted = file("messages", "A\nb\nC\nD\nE", [search, tool("answer", "why")])
      assert.deepStrictEqual(planLines(yield* planOf("a.json", wanted)), [
        "~ notes  add and designate a version  (a.json)",
        "    format: responses → messages",
        "    system_prompt:",
        "    @ line 2 → 2",
        "    - B",
        "    + b",
        "    @ line 5 → 5",
        "    + E",
        "    config/tools/f/parameters/properties: in another order: why, answer → answer, why",
        "1 to change."
      ])
    }).pipe(Effect.provide(makeWorkspace()))
  )

  it.effect("escapes control characters for terminals and logs, whatever a file contains", () =>
    Effect.gen(function* () {
      const text = JSON.stringify({
        slug: "notes",
        name: hostile,
        system_prompt: hostile,
        config: { model: hostile }
      })
      const read = readPreset({ file: "a", text, format: "json" })
      const lines = planLines(yield* planOf(`${hostile}.json`, Result.getOrThrow(read)))
      assert.strictEqual(lines[0], "+ notes  create  (\\u{1b}[31m\\u{a}::add-mask::a\\u{9b}.json)")
      for (const line of lines) assert.notMatch(line, /\p{Cc}/u)
    }).pipe(Effect.provide(makeWorkspace()))
  )
})

const read = (text: string) => Result.getOrThrow(readPreset({ file: "a", text, format: "yaml" }))

/** Plans changes for files. `base` is the content that was last applied. */
const planned = Effect.fnUntraced(function* (
  files: ReadonlyArray<string>,
  { base, prune = false }: { readonly base?: ReadonlyArray<string>; readonly prune?: boolean } = {}
) {
  const toFolder = (texts: ReadonlyArray<string>) =>
    new Map(texts.map(read).map((preset) => [preset.slug, { file: "a.yaml", preset }]))
  const { presets, strays } = yield* planAll({
    ...{ filed: toFolder(files), label: null, prune },
    base: base && toFolder(base)
  })
  return [...presets.map((each) => presetJson(each, null)), ...strays.map(strayJson)].map(
    (each) => Object(Option.getOrThrow(ExactNumber.parse(JSON.stringify(each)))) as object
  )
})

const test = (sentence: string, run: Effect.Effect<void, unknown, Api>) =>
  it.effect(sentence, () => Effect.provide(run, makeWorkspace()))

describe("a plan printed as JSON", () => {
  test(
    "shows presets that were changed elsewhere, have no file, or will be archived",
    Effect.gen(function* () {
      yield* agree(read("slug: notes\nconfig: {model: a}"))
      yield* agree(read("slug: other\nconfig: {model: a}"))
      const file = "slug: notes\nconfig: {model: b}"
      const [drifted, stray] = yield* planned([file], { base: [] })
      assert.propertyVal(drifted ?? {}, "action", "changed_elsewhere")
      assert.deepInclude(stray ?? {}, { slug: "other", file: null, action: "no_file" })
      const [, pruned] = yield* planned([file], { prune: true })
      assert.deepInclude(pruned ?? {}, { slug: "other", file: null, action: "archive" })
    })
  )

  test(
    "reports a preset as changed elsewhere if it matches neither its old nor its new file",
    Effect.gen(function* () {
      const says = (model: string, name: string, status = "active") =>
        `slug: notes\nname: ${name}\nstatus: ${status}\nconfig: {model: ${model}}`
      yield* agree(read(says("a", "A")))
      const rows = [
        [says("b", "B"), says("a", "A"), []],
        [says("a", "A"), says("b", "B"), []],
        [says("b", "B"), says("c", "C"), ["content", "name"]],
        [says("b", "B", "disabled"), says("c", "A", "archived"), ["content", "status"]],
        [says("b", "B"), undefined, ["content", "name"]]
      ] as const
      for (const [file, older, drifted] of rows) {
        const [plan] = yield* planned([file], { base: older === undefined ? [] : [older] })
        assert.deepStrictEqual(Reflect.get(plan ?? {}, "changed_elsewhere"), drifted, file)
      }
      const other = "slug: gone\nconfig: {model: a}"
      const [gone] = yield* planned([other], { base: [other] })
      assert.deepStrictEqual(Reflect.get(gone ?? {}, "changed_elsewhere"), ["presence"])
    })
  )
})
