/** Values at the limits of each plugin field, and values beyond them. */

import {
  type Boundary,
  each,
  field,
  flag,
  flagOrNull,
  integer,
  type Json,
  object,
  objectOrNull,
  oneOf,
  oneOfOrNull,
  type Row,
  row,
  string,
  strings,
  stringsOrNull,
  text,
  times,
  under
} from "./Boundary.ts"

const plugin = (id: string, name: string, ...rows: ReadonlyArray<Row>) =>
  under((value) => ({ plugins: [{ id, [name]: value }] }), `plugins[0].${name}`, rows)

const patterns = (count: number, length: number): ReadonlyArray<Json> => times(count, text(length))

/** Boundary cases for the two plugins that choose a model. */
export const routers: ReadonlyArray<Boundary> = each(["auto-router", "auto-beta-router"], (id) => [
  ...plugin(id, "enabled", flag),
  ...each(["allowed_models", "excluded_models"], (name) =>
    plugin(
      id,
      name,
      strings,
      row(patterns(1024, 1), patterns(1025, 1), ": at most 1024 patterns"),
      row(patterns(1, 1024), patterns(1, 1025), "[0]: at most 1024 characters"),
      row(patterns(64, 1024), [...patterns(64, 1024), "x"], ": at most 65536 characters in total")
    )
  ),
  ...plugin(id, "cost_tier", ...oneOf(["low", "medium", "high", "xhigh", "max"])),
  ...plugin(
    id,
    "cost_quality_tradeoff",
    row(0, -1, ": at least 0"),
    row(10, 11, ": at most 10"),
    row(5, 5.5, ": must be an integer")
  )
])

const fusion = (name: string, ...rows: ReadonlyArray<Row>) => plugin("fusion", name, ...rows)
const web = (name: string, ...rows: ReadonlyArray<Row>) => plugin("web", name, ...rows)

/** Boundary cases for the plugins that do not choose a model. */
export const plugins: ReadonlyArray<Boundary> = [
  ...field(
    "plugins",
    row([], {}, ": must be an array"),
    row([{ id: "moderation" }], [{}], "[0].id: required"),
    row([{ id: "moderation", any: 1 }], ["moderation"], "[0]: must be an object")
  ),
  ...each(
    ["context-compression", "file-parser", "fusion", "pareto-router", "response-healing", "web"],
    (id) => plugin(id, "enabled", flag)
  ),
  ...plugin("auto-router", "pin_model", flag),
  ...plugin("context-compression", "engine", row("x", "", ": must not be empty")),
  ...plugin(
    "file-parser",
    "pdf",
    object,
    row({ engine: "x" }, { engine: "" }, ".engine: must not be empty")
  ),
  ...fusion(
    "analysis_models",
    row(["a"], [], ": at least 1 model"),
    row(times(8, "a"), times(9, "a"), ": at most 8 models")
  ),
  ...fusion("model", string),
  ...fusion("preset", ...oneOf(["general-high", "general-budget", "general-fast"])),
  ...fusion("max_tool_calls", row(1, 0, ": at least 1"), row(16, 17, ": at most 16")),
  ...fusion(
    "tools",
    row([], null, ": must be an array"),
    row(times(8, { type: "t" }), times(9, { type: "t" }), ": at most 8 tools"),
    row([{ type: "t", parameters: {} }], [{ parameters: {} }], "[0].type: required"),
    row(
      [{ type: "t", parameters: {} }],
      [{ type: "t", parameters: 1 }],
      "[0].parameters: must be an object"
    )
  ),
  ...plugin(
    "pareto-router",
    "max_price",
    row(0.5, "0.5", ": must be a number"),
    row(0, -0.01, ": at least 0")
  ),
  ...plugin(
    "pareto-router",
    "min_coding_score",
    row(0, -0.01, ": at least 0"),
    row(1, 1.01, ": at most 1")
  ),
  ...plugin(
    "pareto-router",
    "price_source",
    row("prompt", "p", ": must be prompt or weighted_avg"),
    row("weighted_avg", "w", ": must be prompt or weighted_avg")
  ),
  ...each(["engine", "mode"], (name) => web(name, row("new", "", ": must not be empty"))),
  ...each(["max_results", "max_uses"], (name) => web(name, integer)),
  ...web("search_prompt", string),
  ...each(["include_domains", "exclude_domains"], (name) => web(name, strings)),
  ...web(
    "user_location",
    row(null, "here", ": must be an object or null"),
    row({ type: "approximate" }, {}, ".type: required"),
    row({ type: "approximate", city: "c" }, { type: "exact" }, ".type: must be approximate"),
    row(
      { type: "approximate", country: "c", region: "r", timezone: "t" },
      { type: "approximate", city: 1 },
      ".city: must be a string or null"
    )
  ),
  ...each(["allowed_domains", "blocked_domains"], (name) => plugin("web-fetch", name, strings)),
  ...each(["max_content_tokens", "max_uses"], (name) => plugin("web-fetch", name, integer)),
  ...field(
    "plugins",
    row(
      [{ id: "web-fetch" }],
      [{ id: "web-find" }],
      "[0].id: must be one of auto-router, auto-beta-router, context-compression, file-parser, " +
        "fusion, moderation, pareto-router, response-healing, web, web-fetch"
    )
  )
]

const provider = (name: string, ...rows: ReadonlyArray<Row>) =>
  under((value) => ({ provider: { [name]: value } }), `provider.${name}`, rows)

/** Boundary cases for the provider preferences. */
export const providers: ReadonlyArray<Boundary> = [
  ...field("provider", objectOrNull, row({}, { speed: 1 }, ".speed: unknown property")),
  ...each(["allow_fallbacks", "enforce_distillable_text", "require_parameters", "zdr"], (name) =>
    provider(name, flagOrNull)
  ),
  ...provider("data_collection", ...oneOfOrNull(["deny", "allow"])),
  ...each(["ignore", "only", "order"], (name) => provider(name, strings, stringsOrNull)),
  ...provider("max_price", object),
  ...each(["prompt", "completion", "request", "image", "audio"], (name) =>
    provider("max_price", row({ [name]: "1.5" }, { [name]: 1.5 }, `.${name}: must be a string`))
  ),
  ...each(["preferred_max_latency", "preferred_min_throughput"], (name) =>
    provider(
      name,
      row(null, "1", ": must be a number, an object or null"),
      row({ p50: 1, p75: 1, p90: 1, p99: 1 }, { p99: "1" }, ".p99: must be a number or null"),
      row(
        { p50: null, p75: null, p90: null, p99: null },
        { p50: false },
        ".p50: must be a number or null"
      ),
      row(0.5, [], ": must be a number, an object or null")
    )
  ),
  ...provider("quantizations", row(["int3"], [""], "[0]: must not be empty"), stringsOrNull),
  ...provider(
    "sort",
    ...["price", "throughput", "latency", "exacto"].map((by) =>
      row(by, `${by}s`, ": must be price, throughput, latency, exacto, an object or null")
    ),
    ...["price", null].map((by) =>
      row({ by }, { by: "speed" }, ".by: must be one of price, throughput, latency, exacto, null")
    ),
    row(
      { partition: "model" },
      { partition: "models" },
      ".partition: must be one of model, none, null"
    ),
    row({ partition: "none" }, { partition: 1 }, ".partition: must be one of model, none, null"),
    row(null, 1, ": must be price, throughput, latency, exacto, an object or null")
  )
]
