/**
 * Plugins as JSON Schema, told apart by `id`.
 */
import {
  anyObject,
  flag,
  integer,
  nonEmpty,
  object,
  type Properties,
  selectedBy,
  text,
  textOrNull,
  texts
} from "./SchemaWords.ts"

const patterns = {
  type: "array",
  maxItems: 1024,
  items: { type: "string", maxLength: 1024 },
  maxTotalLength: 65_536
} as const

const router = {
  enabled: flag,
  allowed_models: patterns,
  excluded_models: patterns,
  cost_tier: { enum: ["low", "medium", "high", "xhigh", "max"] },
  cost_quality_tradeoff: { type: "integer", minimum: 0, maximum: 10 }
}

const plugin = (id: string, properties: Properties = {}) =>
  object({ id: { const: id }, ...properties }, ["id"])

const fusion = plugin("fusion", {
  enabled: flag,
  analysis_models: { ...texts, minItems: 1, maxItems: 8 },
  model: text,
  preset: { enum: ["general-high", "general-budget", "general-fast"] },
  max_tool_calls: { type: "integer", minimum: 1, maximum: 16 },
  tools: {
    type: "array",
    maxItems: 8,
    items: object({ type: text, parameters: anyObject }, ["type"])
  }
})

const web = plugin("web", {
  enabled: flag,
  engine: nonEmpty,
  mode: nonEmpty,
  max_results: integer,
  max_uses: integer,
  search_prompt: text,
  include_domains: texts,
  exclude_domains: texts,
  user_location: object(
    {
      type: { const: "approximate" },
      city: textOrNull,
      country: textOrNull,
      region: textOrNull,
      timezone: textOrNull
    },
    ["type"]
  )
})

/** The list of plugins. */
export const plugins = {
  type: "array",
  items: selectedBy("id", [
    plugin("auto-router", { ...router, pin_model: flag }),
    plugin("auto-beta-router", router),
    plugin("context-compression", { enabled: flag, engine: nonEmpty }),
    plugin("file-parser", { enabled: flag, pdf: object({ engine: nonEmpty }) }),
    fusion,
    plugin("moderation"),
    plugin("pareto-router", {
      enabled: flag,
      max_price: { type: "number", minimum: 0 },
      min_coding_score: { type: "number", minimum: 0, maximum: 1 },
      price_source: { enum: ["prompt", "weighted_avg"] }
    }),
    plugin("response-healing", { enabled: flag }),
    web,
    plugin("web-fetch", {
      allowed_domains: texts,
      blocked_domains: texts,
      max_content_tokens: integer,
      max_uses: integer
    })
  ])
} as const
