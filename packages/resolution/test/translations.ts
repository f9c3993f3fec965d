/** Settings of a preset that are translated into another format. */
import type { Format, JsonObject } from "#src/index"

const schema = { type: "object" }
const flatFunction = { type: "function", name: "f" }
const deepFunction = { type: "function", function: { name: "f" } }

/** A preset's configuration in one format, applied to a request in another. */
export interface Row {
  readonly title: string
  readonly from: Format
  readonly to: Format
  readonly config: JsonObject
  readonly request?: JsonObject
  readonly expected: JsonObject
  readonly leftOut?: ReadonlyArray<string>
}

/** Translations that the golden results do not cover. */
export const rows: ReadonlyArray<Row> = [
  {
    title: "does not add the preset's limit if the request sets the limit by another name",
    from: "responses",
    to: "chatCompletions",
    config: { max_output_tokens: 9, reasoning: { effort: "high" } },
    request: { max_tokens: 5, reasoning: { max_tokens: 100 } },
    expected: { max_tokens: 5, reasoning: { max_tokens: 100 } }
  },
  {
    title: "requests thinking with a budget in tokens",
    from: "responses",
    to: "messages",
    config: { reasoning: { max_tokens: 2048, effort: "minimal" } },
    expected: {
      thinking: { type: "enabled", budget_tokens: 2048 },
      output_config: { effort: "low" }
    },
    leftOut: ["reasoning.effort"]
  },
  {
    title: "turns thinking off if the reasoning effort is none",
    from: "chatCompletions",
    to: "messages",
    config: { reasoning_effort: "none" },
    expected: { thinking: { type: "disabled" } }
  },
  {
    title: "requests adaptive thinking from a gateway",
    from: "messages",
    to: "responses",
    config: { model: "a/b", thinking: { type: "adaptive", display: "summarized" } },
    expected: { model: "a/b", reasoning: { enabled: true } },
    leftOut: ["thinking.display"]
  },
  {
    title: "leaves out a thinking budget for a provider that has only efforts",
    from: "messages",
    to: "responses",
    config: {
      thinking: { type: "enabled", budget_tokens: 2048 },
      output_config: { effort: "max" }
    },
    expected: { reasoning: { effort: "max" } },
    leftOut: ["thinking.budget_tokens"]
  },
  {
    title: "translates the tool choice that requires any tool",
    from: "messages",
    to: "responses",
    config: { tool_choice: { type: "any", disable_parallel_tool_use: false } },
    request: { tools: [{ type: "function", name: "f" }] },
    expected: {
      tools: [{ type: "function", name: "f" }],
      tool_choice: "required",
      parallel_tool_calls: true
    }
  },
  {
    title: "keeps a choice among several tools if the other format supports such choices",
    from: "responses",
    to: "chatCompletions",
    config: {
      tool_choice: { type: "allowed_tools", mode: "auto", tools: [flatFunction] }
    },
    request: { tools: [deepFunction] },
    expected: {
      tools: [deepFunction],
      tool_choice: {
        type: "allowed_tools",
        allowed_tools: { mode: "auto", tools: [deepFunction] }
      }
    }
  },
  {
    title: "keeps the members next to a function that a gateway accepts",
    from: "chatCompletions",
    to: "messages",
    config: {
      model: "a/b",
      tools: [
        {
          type: "function",
          function: { name: "f", parameters: schema, async: true },
          cache_control: { type: "e" }
        }
      ]
    },
    expected: {
      model: "a/b",
      tools: [{ name: "f", input_schema: schema, cache_control: { type: "e" } }]
    },
    leftOut: ["tools.0.function.async"]
  },
  {
    title: "keeps the host's own fields, which no format knows",
    from: "chatCompletions",
    to: "messages",
    config: { house_rule: { a: 1 }, seed: 1 },
    expected: { house_rule: { a: 1 } },
    leftOut: ["seed"]
  },
  {
    title: "writes strict: false for a function if the other format's default is strict",
    from: "chatCompletions",
    to: "responses",
    config: { tools: [{ type: "function", function: { name: "f", parameters: schema } }] },
    expected: { tools: [{ type: "function", name: "f", parameters: schema, strict: false }] }
  },
  {
    title: "leaves out fields that are null",
    from: "chatCompletions",
    to: "responses",
    config: { top_k: null, seed: null, model: "m" },
    expected: { model: "m" }
  }
]
