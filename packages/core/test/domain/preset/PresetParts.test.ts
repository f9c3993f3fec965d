/**
 * A version that is made from another one differs from it only in the parts that the request sets.
 */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema, Struct } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import type { VersionParts } from "#src/domain/preset/PresetCommand"
import {
  changeParts,
  isSameContent,
  type PresetContent,
  validateWins
} from "#src/domain/preset/PresetContent"
import { decode } from "#src/domain/request/RequestFormat"

const formats = ["responses", "chatCompletions", "messages"] as const

const number = Schema.Literals([0, 0.5, 1])
const sent = Schema.Struct({
  temperature: Schema.optionalKey(number),
  top_p: Schema.optionalKey(number),
  model: Schema.optionalKey(Schema.Literals(["a", "b"])),
  service_tier: Schema.optionalKey(Schema.Literals(["auto", "standard_only"])),
  tools: Schema.optionalKey(Schema.Array(Schema.Struct({ type: Schema.Literal("web_search") }))),
  provider: Schema.optionalKey(Schema.Struct({ sort: Schema.Literal("price") }))
})
const anyConfig = Arbitrary.schema(sent)
const prompt = Schema.NullOr(Schema.Literals(["Be brief.", "Be\n\nkind."]))
const anyVersion = Arbitrary.map(
  Arbitrary.all([
    anyConfig,
    Arbitrary.schema(prompt),
    Arbitrary.schema(Schema.Literals(formats)),
    Arbitrary.schema(Schema.Boolean)
  ]),
  ([config, systemPrompt, format, isMarked]): PresetContent => {
    const cache_control = { type: "ephemeral" }
    const blocks = [{ type: "text", text: systemPrompt, cache_control }]
    const hasBlocks = isMarked && systemPrompt !== null && format !== "responses"
    const tier = format === "messages" ? config : Struct.omit(config, ["service_tier"])
    const whole = hasBlocks ? { ...tier, system: blocks } : tier
    return { format, systemPrompt, config: whole, wins: Object.keys(tier).slice(0, 2).toSorted() }
  }
)

/** Returns the version that results from changing these parts. */
const edit = (version: PresetContent, parts: VersionParts): PresetContent => {
  const { body, format, wins } = Result.getOrThrow(changeParts(version, parts))
  const { config, systemPrompt } = Result.getOrThrow(decode(format, { body }))
  return {
    format: format.name,
    systemPrompt,
    config,
    wins: Result.getOrThrow(validateWins(config, wins))
  }
}

describe("a version made from another one", () => {
  it.prop("equals the other version if no parts are changed", [anyVersion], ([version]) => {
    assert.deepStrictEqual(edit(version, {}), version)
    assert.isTrue(isSameContent(edit(version, {}), version))
  })

  it.prop(
    "takes each field either from the change or from the other version",
    [anyVersion, anyConfig, Arbitrary.schema(Schema.Boolean)],
    ([version, wanted, isPrompt]) => {
      const set = version.format === "messages" ? wanted : Struct.omit(wanted, ["service_tier"])
      const systemPrompt = isPrompt ? "Sing." : undefined
      const { config, ...made } = edit(version, { set, systemPrompt })
      const kept = isPrompt ? Struct.omit(version.config, ["system"]) : version.config
      assert.deepStrictEqual(config, { ...kept, ...set })
      assert.deepStrictEqual(made, {
        format: version.format,
        systemPrompt: systemPrompt ?? version.systemPrompt,
        wins: version.wins
      })
    }
  )

  it.prop(
    "equals the other version again after a field was added and removed",
    [anyVersion],
    ([version]) => {
      const wider = edit(version, { set: { top_k: 3 } })
      assert.deepInclude(wider.config, { top_k: 3 })
      assert.deepStrictEqual(edit(wider, { unset: ["top_k"] }), version)
    }
  )

  it.prop(
    "no longer has the removed fields, and no longer lists them in `wins`",
    [anyVersion, Arbitrary.schema(Schema.Int)],
    ([version, some]) => {
      const names = Object.keys(version.config).filter((name) => name !== "system")
      const unset = names.filter((_, index) => ((some >> index) & 1) === 1)
      const { config, wins } = edit(version, { unset })
      assert.deepStrictEqual(config, Struct.omit(version.config, unset))
      assert.deepStrictEqual(
        wins,
        version.wins.filter((name) => !unset.includes(name))
      )
    }
  )
})
