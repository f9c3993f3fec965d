import type { Row } from "./translations.ts"

const tool = { name: "f", input_schema: { type: "object" } }
const messages = [{ role: "user", content: "Hi" }]

/** Invalid combinations of fields in chat and Responses requests, which no preset may cause. */
export const openAiRefusals: ReadonlyArray<Row> = [
  {
    title: "keeps four stop sequences in a chat",
    from: "messages",
    to: "chatCompletions",
    config: { stop_sequences: ["a", "b", "c", "d", "e"] },
    expected: { stop: ["a", "b", "c", "d"] },
    leftOut: ["stop_sequences"]
  },
  {
    title: "keeps only the effort of its reasoning in a chat with the provider",
    from: "responses",
    to: "chatCompletions",
    config: { reasoning: { effort: "low", summary: "auto" }, text: { verbosity: "max" } },
    expected: { reasoning_effort: "low", verbosity: "high" },
    leftOut: ["reasoning.summary", "text.verbosity"]
  },
  {
    title: "keeps a gateway's fields and tools for a gateway",
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
    title:
      "leaves out a function with a name of over 64 characters, and its tool choice, in a chat",
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
    title: "reports fields that cannot be translated because they are malformed",
    from: "chatCompletions",
    to: "responses",
    config: { tools: "all", stop: "END" },
    expected: {},
    leftOut: ["tools", "stop"]
  },
  {
    title: "keeps every field in its own format, whatever its value",
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
