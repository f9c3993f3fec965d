/** Presets that endpoints of chats and of Responses-style requests would refuse as they are. */
import type { JsonObject } from "#src/index"
import type { Row } from "./translations.ts"

const flat = { type: "function", name: "f" }
const deep = { type: "function", function: { name: "f" } }
const tool = { name: "f", input_schema: { type: "object" } }
const messages = [{ role: "user", content: "Hi" }]

const closed = (properties: JsonObject) => ({
  type: "object",
  properties,
  additionalProperties: false
})

/** Combinations that no preset may cause in requests of these formats. */
export const openAiRefusals: ReadonlyArray<Row> = [
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
    config: {
      top_k: 5,
      cache_control: { type: "ephemeral" },
      tools: [{ type: "bash", name: "b" }]
    },
    expected: {},
    leftOut: ["top_k", "cache_control", "tools.0"]
  },
  {
    title: "keeps them for a gateway",
    from: "messages",
    to: "chatCompletions",
    config: {
      top_k: 5,
      provider: { sort: "price" },
      tools: [{ type: "openrouter:datetime" }, { type: "bash_20250124", name: "bash" }]
    },
    expected: { top_k: 5, provider: { sort: "price" }, tools: [{ type: "openrouter:datetime" }] },
    leftOut: ["tools.1"]
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
    title: "leaves out a server tool of one maker, and the choice of it",
    from: "messages",
    to: "responses",
    config: {
      model: "a/b",
      tools: [{ type: "web_search_1", name: "search" }],
      tool_choice: { type: "tool", name: "search" }
    },
    expected: { model: "a/b" },
    leftOut: ["tools.0", "tool_choice"]
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
    title: "has no function in a chat whose name is longer than 64 characters, and no choice of it",
    from: "messages",
    to: "chatCompletions",
    config: {
      tools: [
        { ...tool, name: "f".repeat(65) },
        { ...tool, name: "g".repeat(64) }
      ],
      tool_choice: { type: "tool", name: "f".repeat(65) }
    },
    expected: {
      tools: [
        { type: "function", function: { name: "g".repeat(64), parameters: { type: "object" } } }
      ]
    },
    leftOut: ["tools.0", "tool_choice"]
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
      tools: [{ type: "function", name: "f", parameters: closed({ a: {} }), strict: false }]
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
