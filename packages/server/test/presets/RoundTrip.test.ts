import { assert, describe, it } from "@effect/vitest"
import { toRequestFormat } from "@verbatim/core/preset"
import { ExactNumber } from "@verbatim/core/schema"
import { Presets } from "@verbatim/core/services"
import { Effect, Option, Result } from "effect"
import { applyPlan } from "#src/presets/folderPlan"
import { mustFind, readVersion } from "#src/presets/PresetCalls"
import { readPreset } from "#src/presets/PresetReader"
import { writePreset } from "#src/presets/PresetWriter"
import { presetFile } from "./GeneratedPresets.ts"
import {
  agree,
  exported,
  exportedText,
  makeWorkspace,
  operator,
  planFor
} from "./presetWorkspace.ts"

const read = (text: string) => Result.getOrThrow(readPreset({ file: "a", text, format: "yaml" }))

/** Bodies as programs send them, with more fields than a preset keeps. */
const bodies = {
  responses: `{"model": "a", "instructions": "Be\\nbrief.", "input": "hi", "seed": 9007199254740993,
    "tools": [{"type": "function", "name": "f", "parameters": {"b": 1, "a": 1.50, "7": null}}]}`,
  chatCompletions: `{"model": "a", "stop": ["x"], "max_tokens": 5, "logit_bias": {"50256": -100},
    "messages": [{"role": "system", "content": "One."}, {"role": "user", "content": "hi"},
    {"role": "developer", "content": [{"type": "text", "text": "Two."}]}], "stream": true}`,
  messages: `{"model": "a", "max_tokens": 5, "stop_sequences": ["x"], "top_k": 3,
    "system": [{"type": "text", "text": "One."}], "messages": [{"role": "user", "content": "hi"}],
    "tools": [{"name": "f", "input_schema": {"type": "object", "x": 0.1000000000000000055}}]}`
} as const

describe("a preset in files", () => {
  it.live.prop(
    "is exported as it was applied, and can be turned into any other in a single apply",
    [presetFile, presetFile],
    ([before, after]) =>
      Effect.gen(function* () {
        const wanted = { ...after, slug: before.slug }
        yield* agree(before)
        assert.strictEqual(yield* agree(before), 0)
        assert.strictEqual(yield* exportedText(before.slug), writePreset(before, "yaml"))
        const isShut = before.status === "archived" && wanted.status === "archived"
        if (isShut) return
        yield* agree(wanted)
        assert.strictEqual(yield* agree(wanted), 0)
        assert.strictEqual(yield* exportedText(wanted.slug), writePreset(wanted, "yaml"))
      }).pipe(Effect.provide(makeWorkspace())),
    { arbitrary: { runs: 24 } }
  )

  for (const [format, body] of Object.entries(bodies)) {
    it.live(`contains everything that a version created from ${format} has`, () =>
      Effect.gen(function* () {
        const made = yield* Effect.gen(function* () {
          const presets = yield* Presets
          const name = format as keyof typeof bodies
          const { version } = yield* presets.create({
            principal: operator,
            slug: "notes",
            format: toRequestFormat(name),
            body: Effect.succeed(Option.getOrThrow(ExactNumber.parse(body)))
          })
          return { version, text: yield* exportedText("notes") }
        }).pipe(Effect.provide(makeWorkspace()))
        const there = yield* Effect.gen(function* () {
          yield* agree(read(made.text))
          const version = yield* readVersion(yield* mustFind("notes"), "latest")
          return { version, preset: yield* exported("notes") }
        }).pipe(Effect.provide(makeWorkspace()))
        assert.strictEqual(writePreset(there.preset, "yaml"), made.text)
        assert.strictEqual(there.version.format, made.version.format)
        assert.strictEqual(there.version.systemPrompt, made.version.systemPrompt)
        assert.strictEqual(
          JSON.stringify(there.version.config),
          JSON.stringify(made.version.config)
        )
      })
    )
  }

  it.live("is applied only if the presets have not changed since the plan", () =>
    Effect.gen(function* () {
      yield* agree(read("slug: notes\nconfig: {model: a}"))
      const plans = [
        yield* planFor(read("slug: notes\nconfig: {model: b}")),
        yield* planFor(read("slug: notes\nconfig: {model: c}")),
        yield* planFor(read("slug: notes\nname: New\nconfig: {model: a}"))
      ]
      const outcomes = yield* Effect.forEach(plans, (plan) =>
        Effect.match(applyPlan(plan, { label: null, comment: undefined }), {
          onFailure: ({ reason }): string => reason,
          onSuccess: () => "applied"
        })
      )
      assert.deepStrictEqual(outcomes, ["applied", "Changed", "Changed"])
      assert.include(yield* exportedText("notes"), "model: b")
    }).pipe(Effect.provide(makeWorkspace()))
  )
})
