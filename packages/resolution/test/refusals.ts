/** Presets and requests that endpoints take, and would refuse together or in another format. */
import type { JsonObject } from "#src/index"
import type { Row } from "./translations.ts"

const flat = { type: "function", name: "f" }
const deep = { type: "function", function: { name: "f" } }
const tool = { name: "f", input_schema: { type: "object" } }
const messages = [{ role: "user", content: "Hi" }]
const thinking = { type: "enabled", budget_tokens: 8000 }
const adaptive = { type: "adaptive" }

const closed = (properties: JsonObject) => ({
  type: "object",
  properties,
  additionalProperties: false
})

/** What no preset may do to a request. */
export const refusals: ReadonlyArray<Row> = [
  {
    title: "leaves out a temperature beside thinking",
    from: "responses",
    to: "messages",
    config: { temperature: 0.2, top_p: 0.5, reasoning: { effort: "low" } },
    expected: { thinking: adaptive, output_config: { effort: "low" } },
    leftOut: ["temperature", "top_p"]
  },
  {
    title: "ends thinking where the request has a temperature, in its own format too",
    from: "messages",
    to: "messages",
    config: { thinking: adaptive },
    request: { temperature: 0.2 },
    expected: { temperature: 0.2 },
    leftOut: ["thinking"]
  },
  {
    title: "knows a temperature of 1 by its value, not by its digits",
    from: "messages",
    to: "messages",
    config: { thinking: adaptive },
    request: { temperature: { rawJSON: "1.0" } },
    expected: { thinking: adaptive, temperature: { rawJSON: "1.0" } }
  },
  {
    title: "ends thinking where a tool is forced",
    from: "chatCompletions",
    to: "messages",
    config: { reasoning_effort: "high", tools: [deep], tool_choice: "required" },
    expected: {
      output_config: { effort: "high" },
      tools: [{ name: "f", input_schema: { type: "object", properties: {} } }],
      tool_choice: { type: "any" }
    },
    leftOut: ["reasoning_effort"]
  },
  {
    title: "forces no tool where the request asks for thinking",
    from: "messages",
    to: "messages",
    config: {
      tools: [tool],
      tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true }
    },
    request: { thinking: adaptive },
    expected: {
      tools: [tool],
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
      thinking: adaptive
    },
    leftOut: ["tool_choice"]
  },
  {
    title: "thinks up to half of what the request allows",
    from: "messages",
    to: "messages",
    config: { thinking },
    request: { max_tokens: 4000 },
    expected: { thinking: { type: "enabled", budget_tokens: 2000 }, max_tokens: 4000 },
    leftOut: ["thinking"]
  },
  {
    title: "does not think where there is no room for it",
    from: "messages",
    to: "messages",
    config: { thinking },
    request: { max_tokens: 2000 },
    expected: { max_tokens: 2000 },
    leftOut: ["thinking"]
  },
  {
    title: "allows for the thinking that the request asks for",
    from: "messages",
    to: "messages",
    config: { max_tokens: 500 },
    request: { thinking },
    expected: { max_tokens: 8500, thinking },
    leftOut: ["max_tokens"]
  },
  {
    title: "thinks at least as much as can be asked for",
    from: "responses",
    to: "messages",
    config: { reasoning: { max_tokens: 100 } },
    request: { max_tokens: 4000 },
    expected: { thinking: { type: "enabled", budget_tokens: 1024 }, max_tokens: 4000 },
    leftOut: ["reasoning"]
  },
  {
    title: "neither thinks nor asks for a schema where the answer is begun",
    from: "messages",
    to: "messages",
    config: {
      thinking: adaptive,
      output_config: { effort: "low", format: { type: "json_schema", schema: closed({}) } }
    },
    request: { messages: [...messages, { role: "assistant", content: "{" }] },
    expected: {
      output_config: { effort: "low" },
      messages: [...messages, { role: "assistant", content: "{" }]
    },
    leftOut: ["thinking", "output_config"]
  },
  {
    title: "is no warmer than the other side can be",
    from: "chatCompletions",
    to: "messages",
    config: { temperature: 1.7 },
    expected: { temperature: 1 },
    leftOut: ["temperature"]
  },
  {
    title: "does not stop at white space",
    from: "chatCompletions",
    to: "messages",
    config: { stop: ["\n\n", "END"] },
    expected: { stop_sequences: ["END"] },
    leftOut: ["stop"]
  },
  {
    title: "closes the objects of a schema, and drops limits of values",
    from: "responses",
    to: "messages",
    config: {
      text: {
        format: {
          type: "json_schema",
          name: "n",
          schema: {
            type: "object",
            properties: { list: { type: "array", items: { type: "integer", minimum: 1 } } }
          }
        }
      }
    },
    expected: {
      output_config: {
        format: {
          type: "json_schema",
          schema: closed({ list: { type: "array", items: { type: "integer" } } })
        }
      }
    },
    leftOut: ["text.schema"]
  },
  {
    title: "asks for no schema whose objects have properties of any name",
    from: "chatCompletions",
    to: "messages",
    config: {
      response_format: { type: "json_schema", json_schema: { name: "n", schema: tool.input_schema } }
    },
    expected: {},
    leftOut: ["response_format"]
  },
  {
    title: "stops a chat at four texts",
    from: "messages",
    to: "chatCompletions",
    config: { stop_sequences: ["a", "b", "c", "d", "e"] },
    expected: { stop: ["a", "b", "c", "d"] },
    leftOut: ["stop_sequences"]
  },
  {
    title: "says in a chat of its maker how much is thought, and nothing else of it",
    from: "responses",
    to: "chatCompletions",
    config: { reasoning: { effort: "low", summary: "auto" }, text: { verbosity: "max" } },
    expected: { reasoning_effort: "low", verbosity: "high" },
    leftOut: ["reasoning.summary", "text.verbosity"]
  },
  {
    title: "leaves words that only one maker or a gateway has to them",
    from: "messages",
    to: "chatCompletions",
    config: { top_k: 5, cache_control: { type: "ephemeral" }, tools: [{ type: "bash", name: "b" }] },
    expected: {},
    leftOut: ["top_k", "cache_control", "tools.0"]
  },
  {
    title: "keeps them for a gateway",
    from: "messages",
    to: "chatCompletions",
    config: { top_k: 5, provider: { sort: "price" }, tools: [{ type: "search" }] },
    expected: { top_k: 5, provider: { sort: "price" }, tools: [{ type: "search" }] }
  },
  {
    title: "asks for no sound where there is none",
    from: "chatCompletions",
    to: "responses",
    config: { model: "a/b", modalities: ["text", "audio"] },
    expected: { model: "a/b", modalities: ["text"] },
    leftOut: ["modalities"]
  },
  {
    title: "makes no function of a server tool that is chosen",
    from: "messages",
    to: "responses",
    config: {
      model: "a/b",
      tools: [{ type: "web_search_1", name: "search" }],
      tool_choice: { type: "tool", name: "search" }
    },
    expected: { model: "a/b", tools: [{ type: "web_search_1", name: "search" }] },
    leftOut: ["tool_choice"]
  },
  {
    title: "chooses among no tools where the request wants none, in its own format too",
    from: "chatCompletions",
    to: "chatCompletions",
    config: { tools: [deep], tool_choice: "required", parallel_tool_calls: false },
    request: { tools: null },
    expected: { tools: null },
    leftOut: ["tool_choice", "parallel_tool_calls"]
  },
  {
    title: "chooses a tool that takes free text one level deeper",
    from: "responses",
    to: "chatCompletions",
    config: {
      tools: [{ type: "custom", name: "c" }],
      tool_choice: { type: "custom", name: "c" }
    },
    expected: {
      tools: [{ type: "custom", custom: { name: "c" } }],
      tool_choice: { type: "custom", custom: { name: "c" } }
    }
  },
  {
    title: "chooses no tool of a kind that a chat does not choose",
    from: "responses",
    to: "chatCompletions",
    config: { tools: [flat], tool_choice: { type: "file_search" } },
    expected: { tools: [deep] },
    leftOut: ["tool_choice"]
  },
  {
    title: "has no two tools of one name",
    from: "messages",
    to: "messages",
    config: { tools: [tool] },
    request: { tools: [{ type: "bash_1", name: "f" }] },
    expected: { tools: [{ type: "bash_1", name: "f" }] },
    leftOut: ["tools"]
  },
  {
    title: "is as strict as a schema lets it be",
    from: "messages",
    to: "responses",
    config: { tools: [{ name: "f", input_schema: closed({ a: {} }), strict: true }] },
    expected: {
      tools: [
        { type: "function", name: "f", parameters: closed({ a: {} }), strict: false }
      ]
    },
    leftOut: ["tools.0.strict"]
  },
  {
    title: "turns on what the likelihoods of a chat need",
    from: "responses",
    to: "chatCompletions",
    config: { top_logprobs: 3 },
    expected: { logprobs: true, top_logprobs: 3 }
  },
  {
    title: "asks for no likelihoods where the request turns them off",
    from: "chatCompletions",
    to: "chatCompletions",
    config: { logprobs: true, top_logprobs: 3 },
    request: { logprobs: false },
    expected: { logprobs: false },
    leftOut: ["top_logprobs"]
  },
  {
    title: "allows an answer of the least length",
    from: "chatCompletions",
    to: "responses",
    config: { max_tokens: 5 },
    expected: { max_output_tokens: 16 },
    leftOut: ["max_tokens"]
  },
  {
    title: "names what it cannot read",
    from: "chatCompletions",
    to: "responses",
    config: { tools: "all", stop: "END" },
    expected: {},
    leftOut: ["tools", "stop"]
  },
  {
    title: "keeps what a preset says in its own format, whatever it is",
    from: "messages",
    to: "messages",
    config: { thinking: { type: "enabled", budget_tokens: 5 }, temperature: 1.7, max_tokens: 1 },
    request: { messages },
    expected: {
      thinking: { type: "enabled", budget_tokens: 5 },
      temperature: 1.7,
      max_tokens: 1,
      messages
    }
  }
]
