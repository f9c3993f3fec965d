/**
 * How much the model thinks before it answers: by effort, by tokens, or not at all.
 */
import { type Idea, type Lost, noWords, partly, type Said, whole } from "./Idea.ts"
import { isObject, type Json, type JsonObject, objectOf, own, said, within } from "./Json.ts"

/** Settings of thinking, in the words of a Responses-style request. */
interface Thinking {
  readonly field: string
  readonly settings: JsonObject
}

const ofReasoning = (config: JsonObject): Thinking | undefined => {
  const reasoning = said(config, "reasoning")
  return isObject(reasoning) ? { field: "reasoning", settings: reasoning } : undefined
}

const ofChat = (config: JsonObject): Thinking | undefined => {
  const reasoning = ofReasoning(config)
  const effort = said(config, "reasoning_effort")
  if (effort === undefined) return reasoning
  const settings = reasoning?.settings ?? {}
  return { field: "reasoning_effort", settings: { effort, ...settings } }
}

const ofMessages = (config: JsonObject): Thinking | undefined => {
  const thinking = own(config, "thinking")
  const effort = within(config, "output_config", "effort") ?? undefined
  const type = isObject(thinking) ? own(thinking, "type") : undefined
  if (type === "disabled") return { field: "thinking", settings: { effort: "none" } }
  const tokens = isObject(thinking) ? own(thinking, "budget_tokens") : undefined
  const isAsked = type !== undefined && effort === undefined && tokens === undefined
  if (type === undefined && effort === undefined) return undefined
  return {
    field: type === undefined ? "output_config.effort" : "thinking",
    settings: objectOf({ enabled: isAsked ? true : undefined, effort, max_tokens: tokens })
  }
}

const inResponses = ({ settings }: Thinking): Said => whole({ reasoning: settings })

/** Effort alone has a name of its own, which every chat endpoint knows. */
const inChat = ({ settings }: Thinking): Said => {
  const names = Object.keys(settings)
  const effort = own(settings, "effort")
  return names.length === 1 && effort !== undefined
    ? whole({ reasoning_effort: effort })
    : whole({ reasoning: settings })
}

/** The least effort of messages requests is `low`. */
const effortOf = (effort: Json): Json => (effort === "minimal" ? "low" : effort)

const expressible = new Set(["enabled", "effort", "max_tokens"])

const inMessages = ({ field, settings }: Thinking): Said => {
  const lost: ReadonlyArray<Lost> = Object.keys(settings)
    .filter((name) => !expressible.has(name) && said(settings, name) !== undefined)
    .map((name) => ({ field: `${field}.${name}`, reason: noWords }))
  const effort = said(settings, "effort")
  const tokens = said(settings, "max_tokens")
  if (effort === "none" || own(settings, "enabled") === false) {
    return partly({ thinking: { type: "disabled" } }, lost)
  }
  if (tokens !== undefined) {
    return partly(
      objectOf({
        thinking: { type: "enabled", budget_tokens: tokens },
        output_config: effort === undefined ? undefined : { effort: effortOf(effort) }
      }),
      lost
    )
  }
  if (effort !== undefined) {
    return partly(
      { thinking: { type: "adaptive" }, output_config: { effort: effortOf(effort) } },
      lost
    )
  }
  return partly(own(settings, "enabled") === true ? { thinking: { type: "adaptive" } } : {}, lost)
}

/** How much the model thinks. */
export const thinking: Idea<Thinking> = {
  fields: {
    responses: ["reasoning"],
    chatCompletions: ["reasoning", "reasoning_effort"],
    messages: ["thinking", "output_config"]
  },
  read: { responses: ofReasoning, chatCompletions: ofChat, messages: ofMessages },
  say: { responses: inResponses, chatCompletions: inChat, messages: inMessages }
}
