/**
 * Detects from a request's fields whether the request is for a gateway, which extends the formats,
 * or for the format's own provider, which rejects such extensions.
 */
import type { Format } from "./Format.ts"
import { type JsonObject, nonNull, own, within } from "./Json.ts"

const everywhere = ["models", "plugins", "provider", "route", "stop_server_tools_when"]

const sampling = ["cache_control", "image_config", "top_k"]

/** The fields that only gateways accept; `top_k` is a regular field of the messages format. */
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
 * Whether endpoints of a format accept a field, according to the SDKs' types. Providers accept no
 * penalties in Responses requests, and no sampling settings in messages requests; gateways accept
 * both in every format.
 */
export const isTaken = (name: string, to: Format, isGateway: boolean): boolean =>
  isGateway
    ? !refusedByGateways.has(name)
    : !gatewayFields[to].has(name) && !refusedByMakers[to].has(name)

/** Two formats use this field name for different things. */
const otherwise = "context_management"

const penalties = ["frequency_penalty", "presence_penalty"]

const refusedByMakers: Readonly<Record<Format, ReadonlySet<string>>> = {
  responses: new Set([...penalties, otherwise]),
  chatCompletions: new Set(),
  messages: new Set(["temperature", "top_k", "top_p", otherwise])
}

/** Fields that gateways reject in every format. */
const refusedByGateways = new Set(["prompt_cache_retention", "route", otherwise])

/** The members of `reasoning` in a Responses request that only gateways accept. */
const inReasoning = ["enabled", "max_tokens"]

const isSpokenIn = (object: JsonObject, format: Format): boolean =>
  [...gatewayFields[format]].some((name) => nonNull(object, name) !== undefined) ||
  inReasoning.some((name) => (within(object, "reasoning", name) ?? null) !== null)

interface Both {
  readonly config: JsonObject
  readonly from: Format
  readonly request: JsonObject
  readonly to: Format
}

/**
 * Whether the configuration or the request is for a gateway, judged by its fields or by a model
 * named `maker/model`.
 */
export const isForGateway = ({ config, from, request, to }: Both): boolean => {
  const model = own(request, "model") ?? own(config, "model")
  if (typeof model === "string" && model.includes("/")) return true
  return isSpokenIn(config, from) || isSpokenIn(request, to)
}
