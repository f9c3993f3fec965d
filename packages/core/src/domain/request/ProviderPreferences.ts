/**
 * Which providers may answer a request, and which are preferred. The one object of a request in
 * which an unknown property is refused: a misspelt privacy rule must not go unnoticed.
 */
import { Schema } from "effect"
import { FlagOrNull, NumberOrNull } from "../schema/Nullable.ts"
import * as Rule from "../schema/Rule.ts"
import { closedStruct, openStruct, optional } from "../schema/Shape.ts"

const Slugs = Schema.NullOr(Schema.Array(Schema.String))
const SortBy = Schema.Literals(["price", "throughput", "latency", "exacto"])

const Share = Schema.optionalKey(NumberOrNull)

const Percentiles = openStruct({ p50: Share, p75: Share, p90: Share, p99: Share })
const Preference = Schema.Union([Schema.Finite, Percentiles, Schema.Null])

const Price = Schema.optionalKey(Schema.String)

/** How the provider of a request is chosen. */
export const ProviderPreferences = closedStruct({
  allow_fallbacks: optional(
    FlagOrNull.annotate({ default: true }),
    "Whether other providers may step in; false keeps to the first one."
  ),
  data_collection: optional(
    Schema.NullOr(Schema.Literals(["deny", "allow"])).annotate({ default: "allow" }),
    "Whether providers that store what they are sent may answer."
  ),
  enforce_distillable_text: optional(
    FlagOrNull,
    "Only models whose output may train other models."
  ),
  ignore: optional(Slugs, "Providers to leave out, besides those of the account."),
  only: optional(Slugs, "The only providers, besides those of the account."),
  order: optional(Slugs, "Providers to try, in this order."),
  max_price: optional(
    openStruct({ prompt: Price, completion: Price, request: Price, image: Price, audio: Price }),
    "Highest prices; `prompt` and `completion` in USD per million tokens."
  ),
  preferred_max_latency: optional(Preference, "Seconds, for all requests or by percentile."),
  preferred_min_throughput: optional(
    Preference,
    "Tokens per second, for all requests or by percentile."
  ),
  quantizations: optional(
    Schema.NullOr(Schema.Array(Schema.String.check(Rule.notEmpty))),
    "Accepted quantization levels, for example `int8`, `fp16`, `unknown`."
  ),
  require_parameters: optional(
    FlagOrNull,
    "Only providers that know every parameter of the request."
  ),
  sort: optional(
    Schema.Union([
      SortBy,
      openStruct({
        by: Schema.optionalKey(Schema.NullOr(SortBy)),
        partition: Schema.optionalKey(Schema.NullOr(Schema.Literals(["model", "none"])))
      }),
      Schema.Null
    ]),
    "Used when `order` is left out; disables load balancing."
  ),
  zdr: optional(FlagOrNull, "Only endpoints that retain nothing.")
}).annotate({ identifier: "ProviderPreferences" })
