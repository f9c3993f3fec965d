/** Rows for every constraint on a Responses-style body. */
import {
  atMostCharacters,
  atMostEmoji,
  type Boundary,
  each,
  field,
  finite,
  finiteOrNull,
  flag,
  flagOrNull,
  integer,
  integerOrNull,
  large,
  notInfinity,
  object,
  objectOrNull,
  oneOfOrNull,
  pairs,
  type Row,
  row,
  string,
  stringOrNull,
  strings,
  text,
  under,
  wholeOrNull
} from "./Boundary.ts"
import { plugins, providers, routers } from "./PluginBoundaries.ts"

const condition = (type: string, name: string, ...rows: ReadonlyArray<Row>) =>
  under(
    (value) => ({ stop_server_tools_when: [{ type, [name]: value }] }),
    `stop_server_tools_when[0].${name}`,
    rows
  )

const functionTool = (name: string, ...rows: ReadonlyArray<Row>) =>
  under(
    (value) => ({ tools: [{ type: "function", name: "f", [name]: value }] }),
    `tools[0].${name}`,
    rows
  )

const deferred = { type: "function", name: "f", defer_loading: true }

/** Boundary cases for the tools and the tool choice. */
const tools: ReadonlyArray<Boundary> = [
  ...field(
    "tools",
    row([], {}, ": must be an array"),
    row([{ type: "web_search", parameters: 1 }], [{}], "[0].type: required"),
    row([{ type: "" }], [{ type: 1 }], "[0].type: must be a string"),
    row([{ type: "function", name: "f" }], [{ type: "function" }], "[0].name: required"),
    row(
      [deferred, { type: "tool_search" }, { type: "web_search" }],
      [deferred, { type: "web_search" }],
      "[0].defer_loading: needs a tool_search tool"
    ),
    row(
      [{ type: "gateway:tool_search" }, deferred, { type: "function", name: "g" }],
      [{ type: "gateway:tool_search" }, deferred],
      "[1].defer_loading: needs another tool that is not deferred"
    )
  ),
  ...functionTool("name", string),
  ...functionTool("description", stringOrNull),
  ...functionTool("parameters", objectOrNull, row({}, [], ": must be an object or null")),
  ...functionTool("strict", flagOrNull),
  ...functionTool("async", flag),
  ...functionTool("defer_loading", row(false, "no", ": must be a boolean")),
  ...field(
    "tool_choice",
    ...["auto", "none", "required"].map((word) =>
      row(word, `${word}s`, ": must be auto, none, required or an object")
    ),
    row({ type: "web_search" }, {}, ".type: required"),
    row({ type: "function", name: "f" }, { type: "function" }, ".name: required"),
    row({ type: "function", name: "" }, { type: "function", name: 1 }, ".name: must be a string"),
    row(
      { type: "allowed_tools", mode: "auto", tools: [] },
      { type: "allowed_tools", mode: "none", tools: [] },
      ".mode: must be auto or required"
    ),
    row(
      { type: "allowed_tools", mode: "required", tools: [{}] },
      { type: "allowed_tools", mode: "required" },
      ".tools: required"
    )
  )
]

/** Boundary cases for the stop conditions. */
const conditions: ReadonlyArray<Boundary> = [
  ...field(
    "stop_server_tools_when",
    row([{ type: "step_count_is", step_count: 1 }], [], ": at least 1 condition"),
    row(
      [{ type: "has_tool_call", tool_name: "t" }],
      [{ type: "never" }],
      "[0].type: must be one of step_count_is, has_tool_call, max_tokens_used, max_cost, " +
        "finish_reason_is"
    ),
    row([{ type: "finish_reason_is", reason: "stop" }], [{}], "[0].type: required"),
    row([{ type: "step_count_is", step_count: 1 }], null, ": must be an array")
  ),
  ...condition("step_count_is", "step_count", integer),
  ...condition("has_tool_call", "tool_name", string),
  ...condition("max_tokens_used", "max_tokens", integer),
  ...condition("max_cost", "max_cost_in_dollars", finite),
  ...condition("finish_reason_is", "reason", string)
]

/** Boundary cases for fields that hold single values or lists. */
const topLevel: ReadonlyArray<Boundary> = [
  ...each(["background", "parallel_tool_calls"], (name) => field(name, flagOrNull)),
  ...each(["frequency_penalty", "presence_penalty", "temperature", "top_p"], (name) =>
    field(name, finiteOrNull, notInfinity)
  ),
  ...each(["max_output_tokens", "top_logprobs"], (name) => field(name, integerOrNull, wholeOrNull)),
  ...each(["instructions", "prompt_cache_key", "safety_identifier"], (name) =>
    field(name, stringOrNull)
  ),
  ...field("top_k", integer, large, row(1, null, ": must be an integer")),
  ...field("model", string, row("m", null, ": must be a string")),
  ...field("models", strings, row([], null, ": must be an array")),
  ...field("stream", flag, row(false, null, ": must be a boolean")),
  ...field("store", row(false, true, ": must be false"), row(false, null, ": must be false")),
  ...field("user", string, atMostCharacters(256), atMostEmoji(256)),
  ...field("session_id", string, atMostCharacters(256), atMostEmoji(256)),
  ...field(
    "previous_response_id",
    row(null, "resp_1", ": must be null: responses are not stored"),
    row(null, "", ": must be null: responses are not stored")
  ),
  ...field(
    "max_tool_calls",
    row(30, 31, ": at most 30"),
    row(null, "30", ": must be an integer or null")
  ),
  ...field("modalities", row(["text", "image"], ["audio"], "[0]: must be text or image")),
  ...field("truncation", ...oneOfOrNull(["auto", "disabled"])),
  ...field("prompt_cache_retention", stringOrNull),
  ...field(
    "context_management",
    row(null, {}, ": must be an array or null"),
    row([{}], [1], "[0]: must be an object")
  ),
  ...field("route", ...oneOfOrNull(["fallback", "sort"])),
  ...field(
    "service_tier",
    ...oneOfOrNull(["auto", "default", "fast", "flex", "priority", "scale"])
  ),
  ...field(
    "include",
    ...[
      "file_search_call.results",
      "message.input_image.image_url",
      "computer_call_output.output.image_url",
      "reasoning.encrypted_content",
      "code_interpreter_call.outputs"
    ].map((value, _, all) => row([value], [`${value}s`], `[0]: must be one of ${all.join(", ")}`)),
    row(null, "reasoning.encrypted_content", ": must be an array or null")
  ),
  ...field(
    "input",
    row("", null, ": must be a string or an array"),
    row([{}], ["text"], "[0]: must be an object")
  ),
  ...field(
    "image_config",
    row({ size: "1024" }, { size: true }, ".size: must be a string, a number or an array"),
    row(
      { seed: 0.5, list: [null] },
      { seed: null },
      ".seed: must be a string, a number or an array"
    ),
    object
  )
]

/** Boundary cases for the field `metadata`. */
const metadata: ReadonlyArray<Boundary> = field(
  "metadata",
  objectOrNull,
  row(pairs(16), pairs(17), ": at most 16 pairs"),
  row({ [text(64)]: "" }, { [text(65)]: "" }, ": keys at most 64 characters"),
  row({ ["😀".repeat(64)]: "" }, { ["😀".repeat(65)]: "" }, ": keys at most 64 characters"),
  row({ "a(b){c}": "" }, { "a[b": "" }, ": no brackets in keys"),
  row({ "": "" }, { "a]": "" }, ": no brackets in keys"),
  row({ a: text(512) }, { a: text(513) }, ".a: at most 512 characters"),
  row({ a: "1" }, { a: 1 }, ".a: must be a string")
)

/** Boundary cases for the fields that hold small objects, and for the prompt. */
const nested: ReadonlyArray<Boundary> = [
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

/** Boundary cases for the fields `reasoning` and `text`. */
const answer: ReadonlyArray<Boundary> = [
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

/** All boundary cases for the request body. */
export const boundaries: ReadonlyArray<Boundary> = [
  ...topLevel,
  ...metadata,
  ...nested,
  ...answer,
  ...routers,
  ...plugins,
  ...providers,
  ...tools,
  ...conditions
]
