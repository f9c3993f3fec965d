/**
 * Presets from files, for a program whose registry was never reached: the documents that
 * `verbatim presets export` writes and people review.
 */
import { formatNamed } from "../Format.ts"
import { isObject, type Json } from "../Json.ts"
import type { PinnedVersion } from "./Pin.ts"

/** Presets by their slugs. */
export type Fallback = ReadonlyMap<string, PinnedVersion>

const read = (document: Json): PinnedVersion => {
  const { config, format, slug, system_prompt: systemPrompt = null, wins = [] } = Object(document)
  const named = formatNamed(format ?? "responses")
  const isPrompt = systemPrompt === null || typeof systemPrompt === "string"
  if (typeof slug === "string" && isPrompt && isObject(config) && named !== undefined) {
    // A file says neither the number nor the id of its version.
    return {
      slug,
      versionId: "",
      version: { version: 0, format: named, systemPrompt, config, wins }
    }
  }
  throw new TypeError("A document of the fallback is not an exported preset")
}

/**
 * Reads documents of presets; throws for anything else. What a document leaves out is as `apply`
 * takes it. Those that are not active are left out.
 */
export const readFallback = (documents: ReadonlyArray<Json>): Fallback =>
  new Map(
    documents
      .filter((each) => (Object(each).status ?? "active") === "active")
      .map((each) => [Object(each).slug, read(each)])
  )
