/** Boundaries of fields that a Responses-style body lacks, or has in another form. */

import {
  type Boundary,
  each,
  field,
  finiteOrNull,
  flag,
  flagOrNull,
  integerOrNull,
  largeOrNull,
  notInfinity,
  object,
  objectOrNull,
  oneOfOrNull,
  type Row,
  row,
  string,
  stringOrNull,
  under,
  wholeOrNull
} from "./Boundary.ts"
import { cacheControl } from "./ConversationBoundaries.ts"

type Rows = Readonly<Record<string, Row>>

const functionTool = (rows: Rows) =>
  each(Object.entries(rows), ([name, row]) =>
    under(
      (value) => ({ tools: [{ type: "function", function: { name: "f", [name]: value } }] }),
      `tools[0].function.${name}`,
      [row]
    )
  )

const jsonSchema = (rows: Rows) =>
  each(Object.entries(rows), ([name, row]) =>
    under(
      (value) => ({
        response_format: { type: "json_schema", json_schema: { name: "n", [name]: value } }
      }),
      `response_format.json_schema.${name}`,
      [row]
    )
  )

const deferred = { type: "function", function: { name: "f" }, defer_loading: true }

const tools: ReadonlyArray<Boundary> = [
  ...field(
    "tools",
    row([], null, ": must be an array"),
    row([{ type: "web_search", any: 1 }], [{}], "[0].type: required"),
    row(
      [{ type: "function", function: { name: "f" } }],
      [{ type: "function", name: "f" }],
      "[0].function: required"
    ),
    row(
      [{ type: "function", function: { name: "f" } }],
      [{ type: "function", function: {} }],
      "[0].function.name: required"
    ),
    row(
      [deferred, { type: "tool_search" }, { type: "web_search" }],
      [deferred, { type: "web_search" }],
      "[0].defer_loading: needs a tool_search tool"
    )
  ),
  ...functionTool({
    name: string,
    description: stringOrNull,
    parameters: objectOrNull,
    strict: flagOrNull
  }),
  ...under(
    (value) => ({
      tools: [
        { type: "function", function: { name: "f" }, defer_loading: value },
        { type: "tool_search" },
        { type: "web_search" }
      ]
    }),
    "tools[0].defer_loading",
    [flag]
  ),
  ...field(
    "tool_choice",
    ...["auto", "none", "required"].map((word) =>
      row(word, `${word}x`, ": must be auto, none, required or an object")
    ),
    row(
      { type: "function", function: { name: "f" } },
      { type: "function", name: "f" },
      ".function: required"
    ),
    row({ type: "web_search" }, {}, ".type: required")
  )
]

/** Boundaries of the fields that only chat-completions bodies have in this form. */
export const chatCompletions: ReadonlyArray<Boundary> = [
  ...each(["max_tokens", "max_completion_tokens", "seed", "top_k"], (name) =>
    field(name, integerOrNull, wholeOrNull, largeOrNull)
  ),
  ...each(["min_p", "top_a", "repetition_penalty"], (name) =>
    field(name, finiteOrNull, notInfinity)
  ),
  ...field("logprobs", flagOrNull),
  ...each(["service_tier", "verbosity"], (name) => field(name, stringOrNull)),
  ...cacheControl,
  ...field("audio", objectOrNull),
  ...field("web_search_options", object),
  ...field(
    "functions",
    row([{}], {}, ": must be an array"),
    row([], [1], "[0]: must be an object")
  ),
  ...field("function_call", row("auto", 1, ": must be a string or an object")),
  ...field(
    "prompt_cache_options",
    objectOrNull,
    row({ mode: "implicit" }, { mode: 1 }, ".mode: must be a string"),
    row({ ttl: null }, { ttl: 1 }, ".ttl: must be a string or null")
  ),
  ...field(
    "logit_bias",
    objectOrNull,
    row({ 50256: -100 }, { 50256: "-100" }, ".50256: must be a number")
  ),
  ...field(
    "stop",
    row(null, 1, ": must be a string, an array or null"),
    row("", {}, ": must be a string, an array or null"),
    row(["a", "b", "c", "d", "e"], ["a", null], "[1]: must be a string")
  ),
  ...field(
    "reasoning_effort",
    ...oneOfOrNull(["max", "xhigh", "high", "medium", "low", "minimal", "none"])
  ),
  ...field("stream", flagOrNull),
  ...field(
    "modalities",
    row(["text", "image", "audio"], ["video"], "[0]: must be one of text, image, audio"),
    row(null, {}, ": must be an array or null")
  ),
  ...field(
    "prediction",
    objectOrNull,
    row({ type: "content", content: "" }, { content: "" }, ".type: required"),
    row({ type: "content", content: "" }, { type: "other", content: "" }, ".type: must be content"),
    row(
      { type: "content", content: [{ type: "text", text: "" }] },
      { type: "content", content: null },
      ".content: must be a string or an array"
    )
  ),
  ...field(
    "response_format",
    row({ type: "text" }, null, ": must be an object"),
    row({ type: "json_object" }, {}, ".type: required"),
    row({ type: "grammar", grammar: "root" }, { type: 1 }, ".type: must be a string"),
    row(
      { type: "json_schema", json_schema: { name: "n" } },
      { type: "json_schema" },
      ".json_schema: required"
    ),
    row(
      { type: "json_schema", json_schema: { name: "n" } },
      { type: "json_schema", json_schema: {} },
      ".json_schema.name: required"
    )
  ),
  ...jsonSchema({ name: string, description: string, schema: object, strict: flagOrNull }),
  ...field(
    "stream_options",
    objectOrNull,
    row({ include_usage: true }, { include_usage: 1 }, ".include_usage: must be a boolean")
  ),
  ...tools
]
