/**
 * Maps settings that differ between formats mainly in their names: the length, end and modalities
 * of the answer, token probabilities, and the service tier.
 */

import {
  type FieldMapping,
  inEvery,
  lossOf,
  nothing,
  noWords,
  partly,
  renamed,
  type Surroundings,
  whole
} from "./FieldMapping.ts"
import { type Json, type JsonObject, nonNull, objectOf } from "./Json.ts"

const asIs = (value: Json): Json => value

/** Maps the maximum number of tokens in the answer. */
export const answerTokens = renamed({
  names: {
    responses: ["max_output_tokens"],
    chatCompletions: ["max_completion_tokens", "max_tokens"],
    messages: ["max_tokens"]
  },
  read: asIs
})

const readTexts = (value: Json): ReadonlyArray<Json> => (Array.isArray(value) ? value : [value])

/** Maps the sequences at which the model stops generating. */
export const stops = renamed({
  names: { responses: [], chatCompletions: ["stop"], messages: ["stop_sequences"] },
  read: readTexts
})

/** The messages format calls the `default` tier `standard_only`. */
const tierNames = { default: "standard_only", auto: "auto" } as const

const readTier = (value: Json): string | undefined => {
  if (typeof value !== "string") return undefined
  return value === tierNames.default ? "default" : value
}

const isShared = (tier: string): tier is keyof typeof tierNames => Object.hasOwn(tierNames, tier)

/** Maps the service tier. Only two tiers exist in all formats. */
export const serviceTier = renamed({
  names: inEvery(() => ["service_tier"]),
  read: readTier,
  write: (tier, format) => {
    if (format !== "messages") return tier
    return isShared(tier) ? tierNames[tier] : undefined
  }
})

const readModalities = (config: JsonObject): ReadonlyArray<Json> | undefined => {
  const found = nonNull(config, "modalities")
  return Array.isArray(found) ? found : undefined
}

const noModalities = () => nothing("modalities", noWords)

/** Maps the answer's modalities. Only gateways accept modalities in Responses requests. */
export const modalities: FieldMapping<ReadonlyArray<Json>> = {
  fields: { responses: ["modalities"], chatCompletions: ["modalities"], messages: [] },
  read: { responses: readModalities, chatCompletions: readModalities, messages: () => undefined },
  write: {
    responses: (all, { isGateway }: Surroundings) => {
      const left = all.filter((one) => one !== "audio")
      if (!isGateway || left.length === 0) return noModalities()
      return partly({ modalities: left }, left.length === all.length ? [] : noModalities().lost)
    },
    chatCompletions: (all) => whole({ modalities: all }),
    messages: noModalities
  }
}

/** Token probabilities, and how many alternatives to return per token. */
interface Likelihoods {
  readonly logprobs: Json | undefined
  readonly others: Json | undefined
}

const readLikelihoods = (config: JsonObject): Likelihoods | undefined => {
  const [logprobs, others] = [nonNull(config, "logprobs"), nonNull(config, "top_logprobs")]
  return logprobs === undefined && others === undefined ? undefined : { logprobs, others }
}

/** Maps token probabilities. Chats have a separate switch that turns them on. */
export const likelihoods: FieldMapping<Likelihoods> = {
  fields: {
    responses: ["top_logprobs"],
    chatCompletions: ["logprobs", "top_logprobs"],
    messages: []
  },
  read: {
    responses: readLikelihoods,
    chatCompletions: readLikelihoods,
    messages: () => undefined
  },
  write: {
    responses: ({ logprobs, others }) =>
      partly(objectOf({ top_logprobs: others }), lossOf("logprobs", logprobs)),
    chatCompletions: ({ others }) =>
      others === undefined ? whole({}) : whole({ logprobs: true, top_logprobs: others }),
    messages: ({ logprobs, others }) =>
      partly({}, [...lossOf("logprobs", logprobs), ...lossOf("top_logprobs", others)])
  }
}
