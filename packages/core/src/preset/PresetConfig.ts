/**
 * What a preset keeps of a request. The table below is the whole policy: a host can read it, change
 * it and decode with its own.
 */
import { Result, Schema } from "effect"
import * as JsonLimits from "./JsonLimits.ts"
import { fromIssue, InvalidRequest, type Problem, problemsMax } from "./RequestProblem.ts"
import { ResponsesRequest, type requestFields } from "./ResponsesRequest.ts"
import { isSessionId, sessionIdMax } from "./SessionId.ts"

/** The kept fields of a request under the names sent, each exactly as it was sent. */
export const PresetConfig = Schema.Record(Schema.String, Schema.Json).annotate({
  identifier: "PresetConfig"
})
export type PresetConfig = typeof PresetConfig.Type

/** What becomes of a field of the request. */
export type Fate = "kept" | "systemPrompt" | "ignored"

/** The fate of a field, and why. */
export interface Field {
  readonly fate: Fate
  readonly reason: string
}

/** Fields by name; a field that is not named is ignored. */
export type FieldTable = Readonly<Record<string, Field>>

const kept = (reason: string): Field => ({ fate: "kept", reason })
const ignored = (reason: string): Field => ({ fate: "ignored", reason })

const choice = "chooses what answers"
const sampling = "shapes how words are chosen"
const limit = "limits the work"
const output = "shapes the answer"
const tooling = "says what may be called"
const content = "is the content of one request"
const transport = "says how one request travels"
const identity = "tells one request or user from another"

/** Every field that is known, in the order of the specification. */
export const fields = {
  background: ignored(transport),
  cache_control: kept("shapes what the provider caches"),
  debug: ignored("is for looking into one request"),
  frequency_penalty: kept(sampling),
  image_config: kept(output),
  include: kept(output),
  input: ignored(content),
  instructions: { fate: "systemPrompt", reason: "is the system prompt" },
  max_output_tokens: kept(limit),
  max_tool_calls: kept(limit),
  messages: ignored(content),
  metadata: ignored(identity),
  modalities: kept(output),
  model: kept(choice),
  models: kept(choice),
  parallel_tool_calls: kept(tooling),
  plugins: kept("says what is switched on around the request"),
  presence_penalty: kept(sampling),
  previous_response_id: ignored("is not supported: responses are not stored"),
  prompt: ignored(content),
  prompt_cache_key: ignored(identity),
  prompt_cache_options: kept("shapes what the provider caches"),
  provider: kept(choice),
  reasoning: kept("shapes how much the model thinks"),
  route: kept(choice),
  safety_identifier: ignored(identity),
  service_tier: kept(choice),
  session_id: ignored(identity),
  stop_server_tools_when: kept(limit),
  store: ignored("has one value only"),
  stream: ignored(transport),
  temperature: kept(sampling),
  text: kept(output),
  tool_choice: kept(tooling),
  tools: kept(tooling),
  top_k: kept(sampling),
  top_logprobs: kept(output),
  top_p: kept(sampling),
  trace: ignored("is for looking into one request"),
  truncation: kept(limit),
  user: ignored(identity)
} as const satisfies Record<keyof typeof requestFields | "messages", Field>

/** A request body that was decoded: JSON, with every rule kept. */
export type ResponsesBody = Schema.JsonObject

/** What a request becomes. */
export interface Kept {
  /** Null when there are no instructions. */
  readonly systemPrompt: string | null
  readonly config: PresetConfig
  /** The names sent that are not kept, in the order sent; unknown ones too. */
  readonly ignored: ReadonlyArray<string>
}

/** Sorts the fields of a body by a table. Values are taken as sent; a kept null is dropped. */
export const fromRequest = (body: ResponsesBody, table: FieldTable = fields): Kept => {
  const config: Array<[name: string, value: Schema.Json]> = []
  const ignoredNames: Array<string> = []
  let systemPrompt: string | null = null
  for (const [name, value] of Object.entries(body)) {
    const fate = Object.hasOwn(table, name) ? table[name]?.fate : "ignored"
    if (fate === "systemPrompt" && typeof value === "string") systemPrompt = value
    if (fate === "kept" && value !== null) config.push([name, value])
    if (fate === "ignored") ignoredNames.push(name)
  }
  // A name may be `__proto__`: only `fromEntries` defines it as a property like any other.
  return { systemPrompt, config: Object.fromEntries(config), ignored: ignoredNames }
}

/** What else a request says, and which table sorts its fields. */
export interface DecodeOptions {
  /** The header `x-session-id`, which counts when the body has no `session_id`. */
  readonly sessionIdHeader?: string | undefined
  readonly table?: FieldTable | undefined
}

/**
 * Most values in a body whose problems are all collected; of a longer one the first is told. It
 * bounds the memory that a long list of wrong values takes.
 */
const collectMax = 20_000

const firstIssue = Schema.decodeUnknownResult(ResponsesRequest, { reportInput: true })
const everyIssue = Schema.decodeUnknownResult(ResponsesRequest, {
  errors: "all",
  reportInput: true
})

const bodyProblems = (body: unknown): ReadonlyArray<Problem> => {
  const values = JsonLimits.measure(body)
  if (Result.isFailure(values)) return [values.failure]
  // Stopping at the first issue is several times cheaper, and most bodies have none.
  if (Result.isSuccess(firstIssue(body))) return []
  const outcome = (values.success > collectMax ? firstIssue : everyIssue)(body)
  return Result.isFailure(outcome) ? fromIssue(outcome.failure.issue) : []
}

const headerProblems = (body: unknown, header: string | undefined): ReadonlyArray<Problem> =>
  header === undefined || isSessionId(header) || hasSession(body)
    ? []
    : [{ path: "x-session-id", rule: `at most ${sessionIdMax} characters` }]

const hasSession = (body: unknown): boolean =>
  typeof body === "object" && body !== null && Object.hasOwn(body, "session_id")

/** Reads a parsed JSON body into what a preset keeps, or says everything that is wrong with it. */
export const decode = (
  body: unknown,
  options: DecodeOptions = {}
): Result.Result<Kept, InvalidRequest> => {
  const problems = [...bodyProblems(body), ...headerProblems(body, options.sessionIdHeader)]
  const [first, ...others] = problems.slice(0, problemsMax)
  // Without problems the body is an object (the schema) of JSON (the limits).
  return first === undefined
    ? Result.succeed(fromRequest(body as ResponsesBody, options.table))
    : Result.fail(new InvalidRequest({ problems: [first, ...others] }))
}
