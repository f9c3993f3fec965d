/**
 * Plugins for a request, selected by `id`. The names of engines and modes change faster than this
 * file, so any non-empty string is accepted.
 */
import { Schema } from "effect"
import {
  deprecate,
  Integer,
  JsonObject,
  openStruct,
  optional,
  TextOrNull
} from "../schema/ObjectSchemas.ts"
import * as Rule from "../schema/Rule.ts"

/** Maximum number of model patterns in one list of a router. */
const patternsMax = 1024
/** Maximum length of a router's model pattern, in characters. */
const patternCharactersMax = 1024
/** Maximum total length of all model patterns in one list, in characters. */
const patternCharactersInTotalMax = 65_536
/** Maximum number of models that a fusion plugin calls in parallel. */
const analysisModelsMax = 8
/** Maximum number of tools in a fusion plugin. */
const fusionToolsMax = 8
/** Maximum number of tool calls by a fusion plugin. */
const fusionToolCallsMax = 16
/** Maximum value of the deprecated trade-off between quality and cost. */
const costQualityMax = 10

const NonEmptyText = Schema.String.check(Rule.notEmpty)
const Strings = Schema.Array(Schema.String)
const enabled = optional(
  Schema.Boolean.annotate({ default: true }),
  "Whether the plugin is enabled."
)

const Patterns = Schema.Array(
  Schema.String.check(Rule.charactersAtMost(patternCharactersMax))
).check(
  Rule.itemsAtMost(patternsMax, "patterns"),
  Rule.charactersInTotalAtMost(patternCharactersInTotalMax)
)

const router = {
  enabled,
  allowed_models: optional(Patterns, "Models to choose from; patterns may contain wildcards."),
  excluded_models: optional(
    Patterns,
    "Models never to choose; takes precedence over `allowed_models`."
  ),
  cost_tier: optional(
    Schema.Literals(["low", "medium", "high", "xhigh", "max"]),
    "The fifth of the price range to choose from."
  ),
  cost_quality_tradeoff: deprecate(
    Integer.check(Rule.numberAtLeast(0), Rule.numberAtMost(costQualityMax)).annotate({
      default: 9
    }),
    "Deprecated: use `cost_tier`, which takes precedence. The default is 9 without `cost_tier`."
  )
}

/** The plugin that chooses a model for the request. */
const AutoRouter = openStruct({
  id: Schema.Literal("auto-router"),
  ...router,
  pin_model: optional(
    Schema.Boolean.annotate({ default: false }),
    "Keeps the model of the latest assistant message."
  )
}).annotate({ identifier: "AutoRouterPlugin" })

/** The beta version of the plugin that chooses a model for the request. */
const AutoBetaRouter = openStruct({
  id: Schema.Literal("auto-beta-router"),
  ...router
}).annotate({
  identifier: "AutoBetaRouterPlugin"
})

/** The plugin that shortens a conversation that is too long for the model. */
const ContextCompression = openStruct({
  id: Schema.Literal("context-compression"),
  enabled,
  engine: optional(NonEmptyText, "For example `middle-out`.")
}).annotate({ identifier: "ContextCompressionPlugin" })

/** The plugin that reads files in the input. */
const FileParser = openStruct({
  id: Schema.Literal("file-parser"),
  enabled,
  pdf: optional(
    openStruct({
      engine: optional(NonEmptyText, "For example `mistral-ocr`, `native`, `pdf-text`.")
    }),
    "Settings for PDF files."
  )
}).annotate({ identifier: "FileParserPlugin" })

/** The plugin that calls several models, and lets one of them write the response. */
const Fusion = openStruct({
  id: Schema.Literal("fusion"),
  enabled,
  analysis_models: optional(
    Strings.check(Rule.someItems("model"), Rule.itemsAtMost(analysisModelsMax, "models")),
    "Models to call in parallel."
  ),
  model: optional(Schema.String, "The model that analyses and writes the answer."),
  preset: optional(
    Schema.Literals(["general-high", "general-budget", "general-fast"]),
    "A choice of models; `analysis_models` and `model` take precedence."
  ),
  max_tool_calls: optional(
    Integer.check(Rule.numberAtLeast(1), Rule.numberAtMost(fusionToolCallsMax)).annotate({
      default: 4
    }),
    "Maximum number of tool calls by each model."
  ),
  tools: optional(
    Schema.Array(
      openStruct({
        type: Schema.String,
        parameters: optional(JsonObject, "Parameters of the tool.")
      })
    ).check(Rule.itemsAtMost(fusionToolsMax, "tools")),
    "Server tools for the models; web search and web fetch by default, none if empty."
  )
}).annotate({ identifier: "FusionPlugin" })

/** The plugin that checks the request against moderation rules. */
const Moderation = openStruct({ id: Schema.Literal("moderation") }).annotate({
  identifier: "ModerationPlugin"
})

/** The plugin that chooses the cheapest model with a given level of coding ability. */
const ParetoRouter = openStruct({
  id: Schema.Literal("pareto-router"),
  enabled,
  max_price: optional(
    Schema.Finite.check(Rule.numberAtLeast(0)),
    "USD per million input tokens; if set, `min_coding_score` is ignored."
  ),
  min_coding_score: optional(
    Schema.Finite.check(Rule.numberAtLeast(0), Rule.numberAtMost(1)),
    "0.66 or more is the high tier, 0.33 or more the medium tier. Default: the highest tier."
  ),
  price_source: optional(
    Schema.Literals(["prompt", "weighted_avg"]).annotate({ default: "prompt" }),
    "The price to compare."
  )
}).annotate({ identifier: "ParetoRouterPlugin" })

/** The plugin that repairs malformed responses. */
const ResponseHealing = openStruct({
  id: Schema.Literal("response-healing"),
  enabled
}).annotate({
  identifier: "ResponseHealingPlugin"
})

const Place = Schema.optionalKey(TextOrNull)

/** The plugin that searches the web for the request. */
const Web = openStruct({
  id: Schema.Literal("web"),
  enabled,
  engine: optional(NonEmptyText, "For example `native`, `exa`, `firecrawl`."),
  mode: optional(NonEmptyText, "For example `auto`, `fast`, `deep`."),
  max_results: optional(Integer, "Maximum number of results per search."),
  max_uses: optional(Integer, "Maximum number of searches per request."),
  search_prompt: optional(Schema.String, "The text that introduces the results."),
  include_domains: optional(Strings, "Domains to search; wildcards and paths are allowed."),
  exclude_domains: optional(Strings, "Domains to exclude; wildcards and paths are allowed."),
  user_location: optional(
    Schema.NullOr(
      openStruct({
        type: Schema.Literal("approximate"),
        city: Place,
        country: Place,
        region: Place,
        timezone: Place
      })
    ),
    "The approximate location of the user."
  )
}).annotate({ identifier: "WebPlugin" })

/** The plugin that fetches web pages for the request. */
const WebFetch = openStruct({
  id: Schema.Literal("web-fetch"),
  allowed_domains: optional(Strings, "The only domains to fetch from."),
  blocked_domains: optional(Strings, "Domains never to fetch from."),
  max_content_tokens: optional(
    Integer,
    "Maximum number of tokens per page; longer pages are truncated."
  ),
  max_uses: optional(Integer, "Maximum number of fetches; further ones fail.")
}).annotate({ identifier: "WebFetchPlugin" })

/** A plugin of any kind, selected by its `id`. */
export const Plugin = Schema.Union([
  AutoRouter,
  AutoBetaRouter,
  ContextCompression,
  FileParser,
  Fusion,
  Moderation,
  ParetoRouter,
  ResponseHealing,
  Web,
  WebFetch
]).annotate({ identifier: "Plugin" })
