/**
 * Whether a request is for a gateway, which has words of its own beside those of a format, or for
 * the maker of the format, who refuses them. Nobody says which: it shows in what is said.
 */
import type { Format } from "./Format.ts"
import { type JsonObject, own, said, within } from "./Json.ts"

const everywhere = ["models", "plugins", "provider", "route", "stop_server_tools_when"]

const sampling = ["cache_control", "image_config", "top_k"]

/** The fields of a format that only gateways take; `top_k` of a messages request is its own. */
const gatewayFields: Readonly<Record<Format, ReadonlySet<string>>> = {
  responses: new Set([...everywhere, ...sampling, "modalities"]),
  chatCompletions: new Set([
    ...everywhere,
    ...sampling,
    "min_p",
    "reasoning",
    "repetition_penalty",
    "top_a"
  ]),
  messages: new Set(everywhere)
}

/**
 * Whether a format has a field that another format may have, too. The types of the SDKs decide: the
 * makers of two formats have dropped sampling, or never had penalties, and gateways take both.
 */
export const isTaken = (name: string, to: Format, isGateway: boolean): boolean =>
  isGateway
    ? !refusedByGateways.has(name)
    : !gatewayFields[to].has(name) && !refusedByMakers[to].has(name)

/** The name is the same in two formats, and what it holds is not. */
const otherwise = "context_management"

const penalties = ["frequency_penalty", "presence_penalty"]

const refusedByMakers: Readonly<Record<Format, ReadonlySet<string>>> = {
  responses: new Set([...penalties, otherwise]),
  chatCompletions: new Set(),
  messages: new Set(["temperature", "top_k", "top_p", otherwise])
}

/** In any format. */
const refusedByGateways = new Set(["prompt_cache_retention", "route", otherwise])

/** What a gateway takes in the `reasoning` of a Responses-style request, and nobody else. */
const inReasoning = ["enabled", "max_tokens"]

const isSpokenIn = (object: JsonObject, format: Format): boolean =>
  [...gatewayFields[format]].some((name) => said(object, name) !== undefined) ||
  inReasoning.some((name) => (within(object, "reasoning", name) ?? null) !== null)

/** A configuration and a request, each with its format. */
interface Both {
  readonly config: JsonObject
  readonly from: Format
  readonly request: JsonObject
  readonly to: Format
}

/** Whether either of them is meant for a gateway: by its words, or by a model as `maker/model`. */
export const isForGateway = ({ config, from, request, to }: Both): boolean => {
  const model = own(request, "model") ?? own(config, "model")
  if (typeof model === "string" && model.includes("/")) return true
  return isSpokenIn(config, from) || isSpokenIn(request, to)
}
