/**
 * What makes two requests for a version the same: the format, the slug, the comment, whether it is
 * only staged, what wins over requests, and the body, what a preset does not keep of it included.
 * The order of keys and the spelling of a number mean nothing in JSON, so they do not make a
 * different request.
 */
import type { Effect, Schema } from "effect"
import { Digest } from "effect/crypto"
import type { RequestBody, RequestFormat } from "../request/RequestFormat.ts"
import { isExact, toOneSpelling } from "../schema/ExactNumber.ts"
import type { VersionParts } from "./PresetCommand.ts"
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
const digest = (value: Schema.Json): Effect.Effect<string, never, Digest.Digest> =>
  Digest.Digest.use((service) =>
    service.digestHex(Digest.sha256, encoder.encode(JSON.stringify(value)))
  )

/** A request that was judged and may make a version. */
interface Judged {
  readonly format: RequestFormat
  readonly slug: PresetSlug
  readonly body: RequestBody
  readonly comment: string | null
  readonly stage: boolean
  readonly wins: ReadonlyArray<string>
}

/** The fingerprint of a request, as it is kept with its key. */
export const fingerprint = ({
  body,
  comment,
  format,
  slug,
  stage,
  wins
}: Judged): Effect.Effect<string, never, Digest.Digest> =>
  digest(["body", format.name, slug, toOneForm(body), comment, stage, wins])

/** The fingerprint of a version that is made from another one: of what was sent. */
export const partsFingerprint = (
  slug: PresetSlug,
  { comment = null, from = "designated", set = {}, stage = false, ...parts }: VersionParts
): Effect.Effect<string, never, Digest.Digest> => {
  const { systemPrompt, unset = [], wins = null } = parts
  const prompt = systemPrompt === undefined ? [] : [systemPrompt]
  return digest(["parts", slug, from, toOneForm(set), unset, prompt, wins, comment, stage])
}
