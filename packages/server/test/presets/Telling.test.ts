/** A plan in lines for people, whatever others have written. */
import { assert, describe, it } from "@effect/vitest"
import type { PresetFile } from "@verbatim/core/preset"
import { Effect, Result } from "effect"
import { readPreset } from "#src/presets/file/PresetText"
import { planAll } from "#src/presets/plan/Planned"
import { planLines } from "#src/presets/plan/Telling"
import { agree, makeRoom, rooms } from "./Rooms.ts"

/** It would turn a terminal red, and be a command to a runner that reads the log. */
const hostile = "\u001b[31m\n::add-mask::a\u009b"

const planOf = (file: string, preset: PresetFile) =>
  planAll({
    filed: new Map([[preset.slug, { file, preset }]]),
    label: null,
    prune: false,
    expect: () => undefined
  })

describe("a plan in lines", () => {
  it.effect("names format and order, tools by name, and the lines of long texts that changed", () =>
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
        "~ notes  a new version is designated  (a.json)",
        "    format: responses → messages",
        "    system_prompt:",
        "    @ line 2 → 2",
        "    - B",
        "    + b",
        "    @ line 5 → 5",
        "    + E",
        '    config/tools/f/parameters/properties: in another order: "why, answer" → "answer, why"',
        "1 to change."
      ])
    }).pipe(Effect.provide(makeRoom(rooms.memory?.stores() ?? assert.fail())))
  )

  it.effect("is harmless on a terminal and in a log, whatever a file is called or says", () =>
    Effect.gen(function* () {
      const text = JSON.stringify({
        slug: "notes",
        name: hostile,
        system_prompt: hostile,
        config: { model: hostile }
      })
      const read = readPreset({ file: "a", text, format: "json" })
      const told = planLines(yield* planOf(`${hostile}.json`, Result.getOrThrow(read)))
      assert.strictEqual(told[0], "+ notes  is made  (\\u{1b}[31m\\u{a}::add-mask::a\\u{9b}.json)")
      for (const line of told) assert.notMatch(line, /\p{Cc}/u)
    }).pipe(Effect.provide(makeRoom(rooms.memory?.stores() ?? assert.fail())))
  )
})
