/**
 * Ideas that differ in little but their names: how long an answer may be, what ends it, and how
 * the request is served.
 */
import { renamed } from "./Idea.ts"
import type { Json } from "./Json.ts"

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
  names: {
    responses: ["service_tier"],
    chatCompletions: ["service_tier"],
    messages: ["service_tier"]
  },
  read: readTier,
  write: (tier, format) => {
    if (format !== "messages") return tier
    return isShared(tier) ? tierNames[tier] : undefined
  }
})
