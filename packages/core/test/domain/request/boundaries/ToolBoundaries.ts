/** Boundary cases for a request's tools, tool choice and stop conditions. */
import {
  type Boundary,
  field,
  finite,
  flag,
  flagOrNull,
  integer,
  objectOrNull,
  type Row,
  row,
  string,
  stringOrNull,
  under
} from "./Boundary.ts"

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
export const tools: ReadonlyArray<Boundary> = [
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
export const conditions: ReadonlyArray<Boundary> = [
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
