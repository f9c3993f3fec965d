/**
 * What makes two requests for a version the same: the format, the slug, and what is kept of the
 * body. The order of keys means nothing in JSON, so it does not make a different request.
 */
import type { Effect, Schema } from "effect"
import { Digest } from "effect/crypto"
import type { Kept, RequestFormat } from "../request/RequestFormat.ts"
import { isExact } from "../schema/ExactNumber.ts"
import type { PresetSlug } from "./PresetSlug.ts"

const encoder = new TextEncoder()

/** The same value with the keys of its objects in one order. Its depth was measured before. */
const sortKeys = (value: Schema.Json): Schema.Json => {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== "object" || value === null || isExact(value)) return value
  const entries = Object.entries(value).map(([name, each]) => [name, sortKeys(each)] as const)
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** SHA-256 in hex. */
export const fingerprint = ({
  format,
  kept: { config, systemPrompt },
  slug
}: {
  readonly format: RequestFormat
  readonly slug: PresetSlug
  readonly kept: Kept
}): Effect.Effect<string, never, Digest.Digest> => {
  const text = JSON.stringify([format.name, slug, systemPrompt, sortKeys(config)])
  return Digest.Digest.use((service) => service.digestHex(Digest.sha256, encoder.encode(text)))
}
