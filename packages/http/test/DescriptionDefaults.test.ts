/** The defaults of the specification, as the description tells them and the server takes them. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { document } from "#src/contract/Description"
import * as Deployment from "./Deployment.ts"
import { create } from "./preset/PresetCalls.ts"

/** Schema, property, default, and a body that sends it. */
type Row = readonly [schema: string, property: string, value: unknown, body: object]

const plugin = (schema: string, id: string, defaults: Readonly<Record<string, unknown>>) =>
  Object.entries({ enabled: true, ...defaults }).map(
    ([name, value]): Row => [schema, name, value, { plugins: [{ id, [name]: value }] }]
  )

const field = (name: string, value: unknown): Row => [
  "ResponsesRequest",
  name,
  value,
  { [name]: value }
]

const preference = (name: string, value: unknown): Row => [
  "ProviderPreferences",
  name,
  value,
  { provider: { [name]: value } }
]

const rows: ReadonlyArray<Row> = [
  field("max_tool_calls", 30),
  field("service_tier", "auto"),
  field("store", false),
  field("stream", false),
  preference("allow_fallbacks", true),
  preference("data_collection", "allow"),
  ...plugin("AutoRouterPlugin", "auto-router", { cost_quality_tradeoff: 9, pin_model: false }),
  ...plugin("AutoBetaRouterPlugin", "auto-beta-router", { cost_quality_tradeoff: 9 }),
  ...plugin("ContextCompressionPlugin", "context-compression", {}),
  ...plugin("FileParserPlugin", "file-parser", {}),
  ...plugin("FusionPlugin", "fusion", { max_tool_calls: 4 }),
  ...plugin("ParetoRouterPlugin", "pareto-router", { price_source: "prompt" }),
  ...plugin("ResponseHealingPlugin", "response-healing", {}),
  ...plugin("WebPlugin", "web", {})
]

type Properties = Readonly<Record<string, { readonly default?: unknown }>>

const propertiesOf = (schema: string): Properties =>
  (document().components.schemas[schema]?.properties ?? {}) as Properties

describe("the description", () => {
  for (const schema of new Set(rows.map(([name]) => name))) {
    it(`tells the defaults of ${schema}, and no others`, () => {
      const told = Object.entries(propertiesOf(schema)).flatMap(([name, { default: value }]) =>
        value === undefined ? [] : [[name, value]]
      )
      const specified = rows.flatMap(([of, name, value]) => (of === schema ? [[name, value]] : []))
      assert.sameDeepMembers(told, specified)
    })
  }
})

layer(Deployment.layer(), { excludeTestServices: true })("a default", (it) => {
  for (const [schema, property, value, body] of rows) {
    it.effect(`of ${schema} may be sent: ${property}`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* create("defaults", body)).status, 200, String(value))
      })
    )
  }

  it.effect("is not stored for one that sends nothing", () =>
    Effect.gen(function* () {
      const plugins = [{ id: "auto-router" }]
      const { body } = yield* create("nothing", { plugins, provider: {} })
      assert.deepStrictEqual(body.data.designated_version.config, { plugins, provider: {} })
    })
  )
})
