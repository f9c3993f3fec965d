/**
 * Fingerprints of requests that create a version. A fingerprint covers the format, the slug, the
 * comment, whether the version is only staged, the fields that take precedence, and the whole body,
 * including fields that a preset does not keep. Key order and number notation are ignored, because
 * they carry no meaning in JSON.
 */
import type { Effect, Schema } from "effect"
import { Digest } from "effect/crypto"
import type { RequestBody, RequestFormat } from "../request/RequestFormat.ts"
import { isExact, normalizeNumber } from "../schema/ExactNumber.ts"
import type { VersionParts } from "./PresetCommand.ts"
import type { PresetSlug } from "./PresetSlug.ts"

const encoder = new TextEncoder()

/** Returns the canonical form of a JSON value, after its depth was checked. */
const toCanonical = (value: Schema.Json): Schema.Json => {
  if (Array.isArray(value)) return value.map(toCanonical)
  if (typeof value !== "object" || value === null) return value
  if (isExact(value)) return normalizeNumber(value)
  const entries = Object.entries(value).map(([name, each]) => [name, toCanonical(each)] as const)
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Returns the hex SHA-256 of a value. */
const digest = (value: Schema.Json): Effect.Effect<string, never, Digest.Digest> =>
  Digest.Digest.use((service) =>
    service.digestHex(Digest.sha256, encoder.encode(JSON.stringify(value)))
  )

/** A validated request for a new version. */
interface Judged {
  readonly format: RequestFormat
  readonly slug: PresetSlug
  readonly body: RequestBody
  readonly comment: string | null
  readonly stage: boolean
  readonly wins: ReadonlyArray<string>
}

/** Returns the fingerprint of a request, which is stored with its idempotency key. */
export const fingerprint = ({
  body,
  comment,
  format,
  slug,
  stage,
  wins
}: Judged): Effect.Effect<string, never, Digest.Digest> =>
  digest(["body", format.name, slug, toCanonical(body), comment, stage, wins])

/** Returns the fingerprint of a request that derives a version from another one. */
export const partsFingerprint = (
  slug: PresetSlug,
  { comment = null, from = "designated", set = {}, stage = false, ...parts }: VersionParts
): Effect.Effect<string, never, Digest.Digest> => {
  const { systemPrompt, unset = [], wins = null } = parts
  const prompt = systemPrompt === undefined ? [] : [systemPrompt]
  return digest(["parts", slug, from, toCanonical(set), unset, prompt, wins, comment, stage])
}
