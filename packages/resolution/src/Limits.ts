/**
 * Ideas that differ in little but their names: how long an answer may be, what ends it, what it
 * consists of, what is told of its tokens, and how the request is served.
 */

import {
  type Idea,
  inEvery,
  lossOf,
  nothing,
  noWords,
  partly,
  renamed,
  type Surroundings,
  whole
} from "./Idea.ts"
import { type Json, type JsonObject, objectOf, said } from "./Json.ts"

const asIs = (value: Json): Json => value

/** Most tokens of the answer. */
export const answerTokens = renamed({
  names: {
    responses: ["max_output_tokens"],
    chatCompletions: ["max_completion_tokens", "max_tokens"],
    messages: ["max_tokens"]
  },
  read: asIs
})

const readTexts = (value: Json): ReadonlyArray<Json> => (Array.isArray(value) ? value : [value])

/** Texts that end the answer. */
export const stops = renamed({
  names: { responses: [], chatCompletions: ["stop"], messages: ["stop_sequences"] },
  read: readTexts
})

/** `standard_only` is what messages requests call the tier that others call `default`. */
const tierNames = { default: "standard_only", auto: "auto" } as const

const readTier = (value: Json): string | undefined => {
  if (typeof value !== "string") return undefined
  return value === tierNames.default ? "default" : value
}

const isShared = (tier: string): tier is keyof typeof tierNames => Object.hasOwn(tierNames, tier)

/** How the request is served. Only two tiers are the same everywhere. */
export const serviceTier = renamed({
  names: inEvery(() => ["service_tier"]),
  read: readTier,
  write: (tier, format) => {
    if (format !== "messages") return tier
    return isShared(tier) ? tierNames[tier] : undefined
  }
})

const readModalities = (config: JsonObject): ReadonlyArray<Json> | undefined => {
  const found = said(config, "modalities")
  return Array.isArray(found) ? found : undefined
}

const noModalities = () => nothing("modalities", noWords)

/** What the answer may consist of. Of Responses-style endpoints only a gateway's are asked. */
export const modalities: Idea<ReadonlyArray<Json>> = {
  fields: { responses: ["modalities"], chatCompletions: ["modalities"], messages: [] },
  read: { responses: readModalities, chatCompletions: readModalities, messages: () => undefined },
  say: {
    responses: (all, { isGateway }: Surroundings) => {
      const left = all.filter((one) => one !== "audio")
      if (!isGateway || left.length === 0) return noModalities()
      return partly({ modalities: left }, left.length === all.length ? [] : noModalities().lost)
    },
    chatCompletions: (all) => whole({ modalities: all }),
    messages: noModalities
  }
}

/** How likely each token was, and how many others are told. */
interface Likelihoods {
  readonly isTold: Json | undefined
  readonly others: Json | undefined
}

const readLikelihoods = (config: JsonObject): Likelihoods | undefined => {
  const [isTold, others] = [said(config, "logprobs"), said(config, "top_logprobs")]
  return isTold === undefined && others === undefined ? undefined : { isTold, others }
}

/** What is told of each token. In a chat a switch has to be on for it. */
export const likelihoods: Idea<Likelihoods> = {
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
  say: {
    responses: ({ isTold, others }) =>
      partly(objectOf({ top_logprobs: others }), lossOf("logprobs", isTold)),
    chatCompletions: ({ others }) =>
      others === undefined ? whole({}) : whole({ logprobs: true, top_logprobs: others }),
    messages: ({ isTold, others }) =>
      partly({}, [...lossOf("logprobs", isTold), ...lossOf("top_logprobs", others)])
  }
}
