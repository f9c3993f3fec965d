import { assert, describe, it } from "@effect/vitest"
import { ExactNumber } from "@verbatim/core/schema"
import { Effect, Option, Result } from "effect"
import type { Api } from "#src/command/ApiCalls"
import { readPreset } from "#src/presets/file/PresetText"
import { planJson } from "#src/presets/plan/PlanJson"
import { planAll } from "#src/presets/plan/Planned"
import { agree, makeRoom, rooms } from "./Rooms.ts"

const read = (text: string) => Result.getOrThrow(readPreset({ file: "a", text, format: "yaml" }))

const planned = Effect.fnUntraced(function* (
  files: ReadonlyArray<string>,
  { isExpected = true, prune = false } = {}
) {
  const presets = files.map(read)
  const filed = new Map(presets.map((preset) => [preset.slug, { file: "a.yaml", preset }]))
  const expect = () => (isExpected ? undefined : null)
  const lines = planJson(yield* planAll({ filed, label: null, prune, expect }))
  return lines.map((line) => Object(Option.getOrThrow(ExactNumber.parse(line))) as object)
})

const unchanged = { traits: [], format: null, system_prompt: null, config: [], wins: null }

const notes = { slug: "notes", file: "a.yaml", label: null, changed_elsewhere: [] }

const told = (sentence: string, run: Effect.Effect<void, unknown, Api>) =>
  it.effect(sentence, () => Effect.provide(run, makeRoom(rooms.memory?.stores() ?? assert.fail())))

describe("a plan for programs", () => {
  told(
    "tells what would be made, and nothing of what is as it should be",
    Effect.gen(function* () {
      const file = "slug: notes\nconfig: {model: a}"
      const [made] = yield* planned([file])
      assert.deepStrictEqual(made, {
        ...{ ...notes, action: "make", version: null },
        ...{ steps: [{ act: "create" }], changes: unchanged }
      })
      yield* agree(read(file))
      const [quiet] = yield* planned([file])
      assert.deepStrictEqual(quiet, {
        ...{ ...notes, action: "none", version: 1 },
        ...{ steps: [], changes: unchanged }
      })
    })
  )

  told(
    "tells every difference, and numbers digit by digit",
    Effect.gen(function* () {
      yield* agree(read("slug: notes\nname: N\nsystem_prompt: Be short.\nconfig: {top_k: 1}"))
      const [changed] = yield* planned([
        "slug: notes\nsystem_prompt: Be brief.\nconfig: {top_k: 9007199254740993}"
      ])
      assert.strictEqual(
        JSON.stringify(Reflect.get(changed ?? {}, "changes")),
        '{"traits":[{"name":"name","from":"N","to":"notes"}],"format":null,' +
          '"system_prompt":{"from":"Be short.","to":"Be brief."},' +
          '"config":[{"path":"/top_k","kind":"changed","from":1,"to":9007199254740993}],' +
          '"wins":null}'
      )
      assert.propertyVal(changed ?? {}, "action", "change")
    })
  )

  told(
    "tells what was changed elsewhere, what has no file, and what would be archived",
    Effect.gen(function* () {
      yield* agree(read("slug: notes\nconfig: {model: a}"))
      yield* agree(read("slug: other\nconfig: {model: a}"))
      const file = "slug: notes\nconfig: {model: b}"
      const [drifted, stray] = yield* planned([file], { isExpected: false })
      assert.propertyVal(drifted ?? {}, "action", "changed_elsewhere")
      assert.deepInclude(stray ?? {}, { slug: "other", file: null, action: "no_file" })
      const [, pruned] = yield* planned([file], { prune: true })
      assert.deepInclude(pruned ?? {}, { slug: "other", file: null, action: "archive" })
    })
  )
})
