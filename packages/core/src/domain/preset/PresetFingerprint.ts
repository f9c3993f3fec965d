/**
 * What makes two requests for a version the same: the format, the slug, and what is kept of the
 * body. The order of keys and the spelling of a number mean nothing in JSON, so they do not make a
 * different request.
 */
import type { Effect, Schema } from "effect"
import { Digest } from "effect/crypto"
import type { Kept, RequestFormat } from "../request/RequestFormat.ts"
import { isExact, toOneSpelling } from "../schema/ExactNumber.ts"
import type { PresetSlug } from "./PresetSlug.ts"

const encoder = new TextEncoder()

/** The one form of all spellings of a value. Its depth was measured before. */
const toOneForm = (value: Schema.Json): Schema.Json => {
  if (Array.isArray(value)) return value.map(toOneForm)
  if (typeof value !== "object" || value === null) return value
  if (isExact(value)) return toOneSpelling(value)
  const entries = Object.entries(value).map(([name, each]) => [name, toOneForm(each)] as const)
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
  const text = JSON.stringify([format.name, slug, systemPrompt, toOneForm(config)])
  return Digest.Digest.use((service) => service.digestHex(Digest.sha256, encoder.encode(text)))
}
