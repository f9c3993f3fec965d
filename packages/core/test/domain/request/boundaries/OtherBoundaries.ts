/**
 * Boundary cases for rules that apply only to chat-completions or messages bodies. Responses-style
 * bodies test the fields that all formats share.
 */
import { type Boundary, field, largeOrNull, row } from "./Boundary.ts"

const cacheControl = row(
  { type: "ephemeral", ttl: "1d" },
  { type: "ephemeral", ttl: 1 },
  ".ttl: must be a string"
)

const deferred = { type: "function", function: { name: "f" }, defer_loading: true }

/** Boundary cases for chat-completions bodies. */
export const chatCompletions: ReadonlyArray<Boundary> = [
  ...field("messages", row([], null, ": must be an array")),
  ...field("seed", largeOrNull),
  ...field("cache_control", cacheControl),
  ...field(
    "prompt_cache_options",
    row({ mode: "implicit" }, { mode: 1 }, ".mode: must be a string")
  ),
  ...field("logit_bias", row({ 50256: -100 }, { 50256: "-1" }, ".50256: must be a number")),
  ...field("stop", row(["a", "b", "c", "d", "e"], ["a", null], "[1]: must be a string")),
  ...field(
    "modalities",
    row(null, ["video"], "[0]: must be one of text, image, audio"),
    row(["text", "image", "audio"], {}, ": must be an array or null")
  ),
  ...field(
    "prediction",
    row({ type: "content", content: "" }, { type: "a", content: "" }, ".type: must be content")
  ),
  ...field(
    "response_format",
    row({ type: "grammar", grammar: "root" }, { type: 1 }, ".type: must be a string"),
    row(
      { type: "json_schema", json_schema: { name: "n" } },
      { type: "json_schema" },
      ".json_schema: required"
    )
  ),
  ...field(
    "tools",
    row([{ type: "web_search", any: 1 }], [{}], "[0].type: required"),
    row(
      [{ type: "function", function: { name: "f" } }],
      [{ type: "function", name: "f" }],
      "[0].function: required"
    ),
    row(
      [deferred, { type: "tool_search" }, { type: "web_search" }],
      [deferred, { type: "web_search" }],
      "[0].defer_loading: needs a tool_search tool"
    )
  ),
  ...field(
    "tool_choice",
    row(
      { type: "function", function: { name: "f" } },
      { type: "function", name: "f" },
      ".function: required"
    )
  )
]

const tool = { name: "t", input_schema: {} }

/** Boundary cases for messages bodies. */
export const messages: ReadonlyArray<Boundary> = [
  ...field("messages", row([], "Hello", ": must be an array")),
  ...field("cache_control", cacheControl),
  ...field("container", row({}, [], ": must be a string, an object or null")),
  ...field("mcp_servers", row([{ name: "m" }], [{}], "[0].name: required")),
  ...field(
    "thinking",
    row({ type: "of_tomorrow" }, { type: "enabled" }, ".budget_tokens: required"),
    row(
      { type: "enabled", budget_tokens: 1, display: null },
      { type: "enabled", budget_tokens: 0.5 },
      ".budget_tokens: must be an integer"
    ),
    row({ type: "disabled" }, { type: 1 }, ".type: must be a string")
  ),
  ...field("output_config", row({ format: null }, { format: {} }, ".format.type: required")),
  ...field("context_management", row({ edits: [] }, { edits: [{}] }, ".edits[0].type: required")),
  ...field(
    "metadata",
    row({ user_id: null }, { user_id: 1 }, ".user_id: must be a string or null")
  ),
  ...field("system", row("", [{ type: "image", text: "" }], "[0].type: must be text")),
  ...field(
    "tools",
    row([tool], [{ name: "t" }], "[0].input_schema: required"),
    row([{ ...tool, type: null }], [{ ...tool, type: 1 }], "[0].type: must be custom or null"),
    row([{ type: "bash_20250124", any: 1 }], [{ ...tool, name: 1 }], "[0].name: must be a string")
  ),
  ...field("tool_choice", row({ type: "tool", name: "t" }, { type: "tool" }, ".name: required"))
]
