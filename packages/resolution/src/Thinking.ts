/** Maps the reasoning settings: an effort, a token budget, or none. */
import {
  type FieldMapping,
  type Lost,
  lossOf,
  partly,
  type Surroundings,
  type Written
} from "./FieldMapping.ts"
import { isObject, type JsonObject, nonNull, objectOf, own, within } from "./Json.ts"

/** Reasoning settings, as in a Responses request. */
interface Thinking {
  readonly settings: JsonObject
  /** Returns a setting's name in the preset's own format. */
  readonly nameOf: (setting: string) => string
}

const inReasoning = (setting: string): string => `reasoning.${setting}`

const ofReasoning = (config: JsonObject): Thinking | undefined => {
  const reasoning = nonNull(config, "reasoning")
  return isObject(reasoning) ? { settings: reasoning, nameOf: inReasoning } : undefined
}

const ofChat = (config: JsonObject): Thinking | undefined => {
  const reasoning = ofReasoning(config)
  const effort = nonNull(config, "reasoning_effort")
  if (effort === undefined) return reasoning
  const settings = { effort, ...reasoning?.settings }
  const isOwn = Object.hasOwn(reasoning?.settings ?? {}, "effort")
  const nameOf = (setting: string) =>
    setting === "effort" && !isOwn ? "reasoning_effort" : inReasoning(setting)
  return { settings, nameOf }
}

const namesInMessages = new Map([
  ["effort", "output_config.effort"],
  ["max_tokens", "thinking.budget_tokens"],
  ["answer_effort", "output_config.effort"]
])

const ofMessages = (config: JsonObject): Thinking | undefined => {
  const thinking = own(config, "thinking")
  const effort = within(config, "output_config", "effort") ?? undefined
  const type = isObject(thinking) ? own(thinking, "type") : undefined
  const nameOf = (setting: string) => namesInMessages.get(setting) ?? "thinking"
  if (type === "disabled") {
    // Other formats have one effort setting for both reasoning and answer.
    return { settings: objectOf({ effort: "none", answer_effort: effort }), nameOf }
  }
  const tokens = isObject(thinking) ? own(thinking, "budget_tokens") : undefined
  const hasTypeOnly = type !== undefined && effort === undefined && tokens === undefined
  if (type === undefined && effort === undefined) return undefined
  const enabled = hasTypeOnly ? true : undefined
  return { settings: objectOf({ enabled, effort, max_tokens: tokens }), nameOf }
}

/** Reports each setting that has none of the given names as lost. */
const findLossesExcept = (
  { nameOf, settings }: Thinking,
  names: ReadonlyArray<string>
): ReadonlyArray<Lost> =>
  Object.keys(settings)
    .filter((name) => !names.includes(name))
    .flatMap((name) => lossOf(nameOf(name), nonNull(settings, name)))

/** The members of `reasoning` in each format; in chats, only gateways have this field. */
const ofResponses = ["effort", "summary", "context", "mode"]
const ofGatewayResponses = [...ofResponses, "enabled", "max_tokens"]
const ofGatewayChats = ["effort", "summary"]

const inReasoningOf = (thinking: Thinking, names: ReadonlyArray<string>): Written => {
  const members = Object.entries(thinking.settings).filter(([name]) => names.includes(name))
  const lost = findLossesExcept(thinking, names)
  return partly(members.length === 0 ? {} : { reasoning: Object.fromEntries(members) }, lost)
}

const inResponses = (thinking: Thinking, { isGateway }: Surroundings): Written =>
  inReasoningOf(thinking, isGateway ? ofGatewayResponses : ofResponses)

const effortAlone = ["effort"]

/** In chats, gateways accept `reasoning`; providers accept only the effort. */
const inChat = (thinking: Thinking, { isGateway }: Surroundings): Written => {
  const lost = findLossesExcept(thinking, effortAlone)
  if (isGateway && lost.length > 0) return inReasoningOf(thinking, ofGatewayChats)
  return partly(objectOf({ reasoning_effort: nonNull(thinking.settings, "effort") }), lost)
}

const ofMessagesToo = ["enabled", "effort", "max_tokens"]

const inMessages = (thinking: Thinking): Written => {
  const { settings } = thinking
  const lost = findLossesExcept(thinking, ofMessagesToo)
  const tokens = nonNull(settings, "max_tokens")
  if (own(settings, "effort") === "none" || own(settings, "enabled") === false) {
    return partly({ thinking: { type: "disabled" } }, lost)
  }
  const requested = nonNull(settings, "effort")
  // The messages format has no effort `minimal`; `low` comes closest.
  const effort = requested === "minimal" ? "low" : requested
  const other = { field: thinking.nameOf("effort"), reason: `it is ${effort} there` }
  const isEnabled = effort !== undefined || own(settings, "enabled") === true
  const adaptive = isEnabled ? { type: "adaptive" } : undefined
  return partly(
    objectOf({
      thinking: tokens === undefined ? adaptive : { type: "enabled", budget_tokens: tokens },
      output_config: effort === undefined ? undefined : { effort }
    }),
    [...(effort === requested ? [] : [other]), ...lost]
  )
}

/** Maps all reasoning settings. */
export const thinking: FieldMapping<Thinking> = {
  fields: {
    responses: ["reasoning"],
    chatCompletions: ["reasoning", "reasoning_effort"],
    messages: ["thinking", "output_config"]
  },
  read: { responses: ofReasoning, chatCompletions: ofChat, messages: ofMessages },
  write: { responses: inResponses, chatCompletions: inChat, messages: inMessages }
}
