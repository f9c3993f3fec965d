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
  const fields = Object(document)
  const {
    config,
    format = "responses",
    slug,
    system_prompt: systemPrompt = null,
    wins = []
  } = fields
  const named = formatNamed(format)
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

/** A file that does not say so is of an active preset. */
const isActive = (document: Json): boolean => (Object(document).status ?? "active") === "active"

/** Reads documents of presets; throws for anything else. Those that are not active are left out. */
export const readFallback = (documents: ReadonlyArray<Json>): Fallback =>
  new Map(
    documents
      .filter(isActive)
      .map((each) => read(each))
      .map((each) => [each.slug, each])
  )
