/**
 * Boundaries of the provider preferences.
 */
import {
  type Boundary,
  each,
  field,
  flagOrNull,
  object,
  objectOrNull,
  oneOfOrNull,
  type Row,
  row,
  strings,
  stringsOrNull,
  under
} from "./Boundary.ts"

const provider = (name: string, ...rows: ReadonlyArray<Row>) =>
  under((value) => ({ provider: { [name]: value } }), `provider.${name}`, rows)

/** Boundaries of the provider preferences. */
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
