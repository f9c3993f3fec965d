/**
 * The request that is measured: about 1 KB, with the fields that presets are made of.
 */

const request = {
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
}

/** As it is sent. */
export const sampleBody = JSON.stringify(request)

/** The same request with one thing wrong in it: both sides must refuse each of them. */
export const refusedBodies: ReadonlyArray<string> = [
  { max_tool_calls: 31 },
  { temperature: "0.2" },
  { top_k: 1.5 },
  { previous_response_id: "resp_1" },
  { store: true },
  { user: "u".repeat(257) },
  { session_id: "s".repeat(257) },
  { metadata: { "a[b]": "" } },
  { metadata: { key: "v".repeat(513) } },
  { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`${index}`, ""])) },
  { stop_server_tools_when: [] },
  { stop_server_tools_when: [{ type: "max_cost", max_cost_in_dollars: "1" }] },
  { provider: { zero_retention: true } },
  { provider: { quantizations: [""] } },
  { plugins: [{ id: "unknown" }] },
  { plugins: [{ id: "fusion", analysis_models: [] }] },
  { plugins: [{ id: "fusion", max_tool_calls: 17 }] },
  { plugins: [{ id: "pareto-router", min_coding_score: 1.1 }] },
  { plugins: [{ id: "web", user_location: { type: "exact" } }] },
  { plugins: [{ id: "auto-router", allowed_models: Array(65).fill("m".repeat(1024)) }] },
  { prompt: { id: "prompt_1", variables: { who: { type: "input_text" } } } },
  { image_config: { size: true } },
  { reasoning: { effort: "extreme" } },
  { text: { format: { type: "json_schema", name: "answer" } } },
  { tool_choice: { type: "allowed_tools", mode: "none", tools: [] } },
  { tools: [{ type: "function" }] },
  { tools: [{ type: "function", name: "late", defer_loading: true }] },
  { service_tier: "slow" }
].map((wrong) => JSON.stringify({ ...request, ...wrong }))
