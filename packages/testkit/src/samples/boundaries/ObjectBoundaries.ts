/**
 * Boundaries of the fields that are objects.
 */
import {
  type Boundary,
  each,
  field,
  flagOrNull,
  integerOrNull,
  object,
  objectOrNull,
  oneOfOrNull,
  type Row,
  row,
  under,
  wholeOrNull
} from "./Boundary.ts"

/** Boundaries of small objects and of the prompt. */
export const nested: ReadonlyArray<Boundary> = [
  ...field(
    "cache_control",
    row({ type: "ephemeral" }, {}, ".type: required"),
    row({ type: "ephemeral" }, { type: "lasting" }, ".type: must be ephemeral"),
    row(
      { type: "ephemeral", ttl: "5m" },
      { type: "ephemeral", ttl: "6m" },
      ".ttl: must be 5m or 1h"
    ),
    row({ type: "ephemeral", ttl: "1h" }, null, ": must be an object")
  ),
  ...field(
    "prompt_cache_options",
    objectOrNull,
    row({ mode: "explicit" }, {}, ".mode: required"),
    row({ mode: "explicit" }, { mode: "implicit" }, ".mode: must be explicit"),
    row(
      { mode: "explicit", ttl: null },
      { mode: "explicit", ttl: 5 },
      ".ttl: must be a string or null"
    )
  ),
  ...field(
    "debug",
    object,
    row(
      { echo_upstream_body: true },
      { echo_upstream_body: null },
      ".echo_upstream_body: must be a boolean"
    )
  ),
  ...each(["trace_id", "trace_name", "span_name", "generation_name", "parent_span_id"], (name) =>
    field("trace", row({ [name]: "", other: 1 }, { [name]: 1 }, `.${name}: must be a string`))
  ),
  ...field(
    "prompt",
    row(null, {}, ".id: required"),
    row({ id: "" }, { id: null }, ".id: must be a string"),
    row(
      { id: "p", variables: null },
      { id: "p", variables: [] },
      ".variables: must be an object or null"
    ),
    row(
      { id: "p", variables: { a: "text" } },
      { id: "p", variables: { a: 1 } },
      ".variables.a: must be a string or an object"
    ),
    row(
      { id: "p", variables: { a: { type: "input_text", text: "" } } },
      { id: "p", variables: { a: { type: "input_text" } } },
      ".variables.a.text: required"
    ),
    row(
      { id: "p", variables: { a: { type: "input_file", file_id: "f" } } },
      { id: "p", variables: { a: { type: "input_audio" } } },
      ".variables.a.type: must be one of input_text, input_image, input_file"
    ),
    row(
      { id: "p", variables: { a: { type: "input_image", image_url: null } } },
      { id: "p", variables: { a: { image_url: null } } },
      ".variables.a.type: required"
    )
  )
]

const reasoning = (name: string, ...rows: ReadonlyArray<Row>) =>
  under((value) => ({ reasoning: { [name]: value } }), `reasoning.${name}`, rows)

/** Boundaries of reasoning and text. */
export const answer: ReadonlyArray<Boundary> = [
  ...field("reasoning", objectOrNull),
  ...reasoning("enabled", flagOrNull),
  ...reasoning("max_tokens", integerOrNull, wholeOrNull),
  ...reasoning(
    "effort",
    ...oneOfOrNull(["max", "xhigh", "high", "medium", "low", "minimal", "none"])
  ),
  ...reasoning("summary", ...oneOfOrNull(["auto", "concise", "detailed"])),
  ...reasoning("context", ...oneOfOrNull(["auto", "all_turns", "current_turn"])),
  ...reasoning("mode", ...oneOfOrNull(["standard", "pro"])),
  ...field("text", object, row({}, null, ": must be an object")),
  ...under(
    (value) => ({ text: { verbosity: value } }),
    "text.verbosity",
    oneOfOrNull(["low", "medium", "high", "xhigh", "max"])
  ),
  ...under((value) => ({ text: { format: value } }), "text.format", [
    row({ type: "text" }, {}, ".type: required"),
    row(
      { type: "json_object" },
      { type: "xml" },
      ".type: must be one of text, json_object, json_schema"
    ),
    row(
      { type: "json_schema", name: "n", schema: {} },
      { type: "json_schema", schema: {} },
      ".name: required"
    ),
    row(
      { type: "json_schema", name: "n", schema: {}, strict: null },
      { type: "json_schema", name: "n" },
      ".schema: required"
    ),
    row(
      { type: "json_schema", name: "n", schema: {}, description: "" },
      { type: "json_schema", name: "n", schema: [] },
      ".schema: must be an object"
    ),
    row({ type: "text" }, "text", ": must be an object")
  ])
]
