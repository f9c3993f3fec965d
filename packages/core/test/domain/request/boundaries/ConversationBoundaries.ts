/**
 * Boundaries of the conversation, which only chat-completions and messages bodies have. The bodies
 * in these rows are complete; the bodies in all other rows also need a conversation.
 */

import {
  type Boundary,
  each,
  field,
  flag,
  integerOrNull,
  objectOrNull,
  oneOfOrNull,
  pairs,
  row,
  string,
  stringOrNull,
  strings,
  stringsOrNull,
  text,
  under,
  wholeOrNull
} from "./Boundary.ts"

/** Boundaries of a message that becomes part of the system prompt. */
const systemMessage = (role: string) => [
  row([{ role, content: "" }], [{ role }], "[0].content: required"),
  row(
    [{ role, content: [] }],
    [{ role, content: null }],
    "[0].content: must be a string or an array"
  ),
  row(
    [{ role, content: [{ type: "text", text: "", cache_control: null }] }],
    [{ role, content: [{ type: "text", text: 1 }] }],
    "[0].content[0].text: must be a string"
  ),
  row(
    [{ role: "user", content: [{ type: "image_url" }] }],
    [{ role, content: [{ type: "image_url", text: "" }] }],
    "[0].content[0].type: must be text"
  )
]

/** Boundaries of the messages. */
export const conversations: ReadonlyArray<Boundary> = [
  { accepted: { messages: [] }, refused: {}, problem: "messages: required" },
  ...field(
    "messages",
    row([], null, ": must be an array"),
    row([], "Hello", ": must be an array"),
    row([{ role: "user" }], ["Hello"], "[0]: must be an object"),
    row([{ role: "user", content: null }], [{ content: null }], "[0].role: required"),
    row([{ role: "anything" }], [{ role: null }], "[0].role: must be a string"),
    row(
      [{ role: "user", content: "" }],
      [{ role: "user", content: {} }],
      "[0].content: must be a string, an array or null"
    ),
    row(
      [{ role: "user", content: [{ later: 1 }] }],
      [{ role: "user", content: ["Hello"] }],
      "[0].content[0]: must be an object"
    ),
    ...["system", "developer"].flatMap(systemMessage)
  )
]

const tool = { name: "t", input_schema: {} }

const tools: ReadonlyArray<Boundary> = [
  ...field(
    "tools",
    row([], null, ": must be an array"),
    row([tool], ["t"], "[0]: must be an object"),
    row([tool], [{ name: "t" }], "[0].input_schema: required"),
    row(
      [{ ...tool, type: "custom" }],
      [{ type: "custom", input_schema: {} }],
      "[0].name: required"
    ),
    row([{ ...tool, type: null }], [{ ...tool, type: 1 }], "[0].type: must be custom or null"),
    row([tool], [{ ...tool, input_schema: [] }], "[0].input_schema: must be an object"),
    row([{ ...tool, description: "" }], [{ ...tool, name: null }], "[0].name: must be a string"),
    row(
      [{ type: "bash_20250124", any: 1 }],
      [{ type: "custom", name: "t" }],
      "[0].input_schema: required"
    )
  ),
  ...under((value) => ({ tools: [{ ...tool, description: value }] }), "tools[0].description", [
    string
  ]),
  ...field(
    "tool_choice",
    row({ type: "auto" }, "auto", ": must be an object"),
    row({ type: "any" }, {}, ".type: required"),
    row({ type: "none" }, { type: "all" }, ".type: must be one of auto, any, none, tool"),
    row({ type: "tool", name: "t" }, { type: "tool" }, ".name: required")
  ),
  ...each(["auto", "any", "tool"], (type) =>
    under(
      (value) => ({ tool_choice: { type, name: "t", disable_parallel_tool_use: value } }),
      "tool_choice.disable_parallel_tool_use",
      [flag]
    )
  )
]

/** The list of types is open, because the format may define more types later. */
export const cacheControl: ReadonlyArray<Boundary> = field(
  "cache_control",
  row(null, "", ": must be an object or null"),
  row({ type: "later" }, {}, ".type: required"),
  row({ type: "ephemeral", ttl: "1d" }, { type: "ephemeral", ttl: 1 }, ".ttl: must be a string")
)

/** Boundaries of the fields that only messages bodies have in this form. */
export const messages: ReadonlyArray<Boundary> = [
  ...each(["max_tokens", "top_k"], (name) => field(name, integerOrNull, wholeOrNull)),
  ...field("route", ...oneOfOrNull(["fallback", "sort"])),
  ...field("service_tier", stringOrNull),
  ...each(["speed", "inference_geo"], (name) => field(name, stringOrNull)),
  ...cacheControl,
  ...field(
    "container",
    row("c", 1, ": must be a string, an object or null"),
    row({}, [], ": must be a string, an object or null")
  ),
  ...field(
    "mcp_servers",
    row(null, {}, ": must be an array or null"),
    row([{ name: "m" }], [{}], "[0].name: required"),
    row([{ name: "m", url: "" }], [{ name: "m", url: 1 }], "[0].url: must be a string")
  ),
  ...field("stop_sequences", stringsOrNull, strings, row([], {}, ": must be an array or null")),
  ...field(
    "thinking",
    objectOrNull,
    row({ type: "disabled" }, {}, ".type: required"),
    row({ type: "adaptive" }, { type: 1 }, ".type: must be a string"),
    row({ type: "of_tomorrow" }, { type: "enabled" }, ".budget_tokens: required"),
    row(
      { type: "enabled", budget_tokens: 1, display: null },
      { type: "enabled", budget_tokens: 0.5 },
      ".budget_tokens: must be an integer"
    ),
    row(
      { type: "adaptive", display: "omitted" },
      { type: "adaptive", display: 1 },
      ".display: must be a string or null"
    )
  ),
  ...field(
    "output_config",
    objectOrNull,
    row({ effort: "medium" }, { effort: 1 }, ".effort: must be a string or null"),
    row({ format: null }, { format: "json" }, ".format: must be an object or null"),
    row({ format: { type: "json_schema" } }, { format: {} }, ".format.type: required")
  ),
  ...field(
    "context_management",
    objectOrNull,
    row({ edits: [] }, { edits: null }, ".edits: must be an array"),
    row({ edits: [{ type: "clear_thinking" }] }, { edits: [{}] }, ".edits[0].type: required")
  ),
  ...field(
    "metadata",
    objectOrNull,
    row({ user_id: null }, { user_id: 1 }, ".user_id: must be a string or null"),
    row({ user_id: text(512) }, { user_id: text(513) }, ".user_id: at most 512 characters"),
    row(pairs(16), pairs(17), ": at most 16 pairs"),
    row({ [text(64)]: "" }, { [text(65)]: "" }, ": keys at most 64 characters")
  ),
  ...field(
    "system",
    row("", null, ": must be a string or an array"),
    row([], ["text"], "[0]: must be an object"),
    row([{ type: "text", text: "" }], [{ type: "text" }], "[0].text: required"),
    row([{ type: "text", text: "" }], [{ type: "image", text: "" }], "[0].type: must be text")
  ),
  ...tools
]
