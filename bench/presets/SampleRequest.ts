/** The measured request, which has about 1 KB and a preset's typical fields. */

export const sampleBody = JSON.stringify({
  model: "vendor/large-model",
  instructions:
    "You answer questions about the minutes of meetings. Quote the speaker by name, give the " +
    "time of each quotation, and say so when the minutes do not hold the answer.",
  input: "What was decided about the harbour?",
  temperature: 0.2,
  top_p: 0.9,
  max_output_tokens: 2048,
  metadata: { team: "minutes", stage: "production" },
  reasoning: { effort: "medium", summary: "auto" },
  provider: {
    order: ["first-provider", "second-provider"],
    allow_fallbacks: true,
    data_collection: "deny",
    max_price: { prompt: "1.5", completion: "6" },
    sort: { by: "price", partition: "model" }
  },
  plugins: [
    { id: "web", max_results: 3, include_domains: ["example.org/minutes/*"] },
    { id: "response-healing", enabled: true }
  ],
  text: { format: { type: "json_object" }, verbosity: "low" },
  tools: [
    {
      type: "function",
      name: "find_minutes",
      description: "Finds the minutes of a meeting by its date.",
      parameters: { type: "object", properties: { date: { type: "string" } }, required: ["date"] }
    }
  ],
  tool_choice: "auto",
  user: "user-1234",
  stream: false
})
