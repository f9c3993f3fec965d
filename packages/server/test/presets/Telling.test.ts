/** A plan in lines for people, whatever others have written. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { readPreset } from "#src/presets/file/PresetText"
import { planAll } from "#src/presets/plan/Planned"
import { planLines } from "#src/presets/plan/Telling"
import { makeRoom, rooms } from "./Rooms.ts"

/** It would turn a terminal red, and be a command to a runner that reads the log. */
const hostile = "\u001b[31m\n::add-mask::a\u009b"

describe("a plan in lines", () => {
  it.effect("is harmless on a terminal and in a log, whatever a file is called or says", () =>
    Effect.gen(function* () {
      const text = JSON.stringify({
        slug: "notes",
        name: hostile,
        system_prompt: hostile,
        config: { model: hostile }
      })
      const read = readPreset({ file: "a", text, format: "json" })
      const filed = new Map([
        ["notes", { file: `${hostile}.json`, preset: Result.getOrThrow(read) }]
      ])
      const plan = yield* planAll({ filed, label: null, prune: false, expect: () => undefined })
      const told = planLines(plan)
      assert.strictEqual(told[0], "+ notes  is made  (\\u{1b}[31m\\u{a}::add-mask::a\\u{9b}.json)")
      for (const line of told) assert.notMatch(line, /\p{Cc}/u)
    }).pipe(Effect.provide(makeRoom(rooms.memory?.stores() ?? assert.fail())))
  )
})
