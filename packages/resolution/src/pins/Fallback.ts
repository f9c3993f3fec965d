/**
 * Presets from files, for a program whose registry was never reached: the documents that
 * `verbatim presets export` writes and people review.
 */
import { formatNamed } from "../Format.ts"
import { isObject, type Json } from "../Json.ts"
import type { PinnedVersion } from "./Pin.ts"

/** Presets by their slugs. */
export type Fallback = ReadonlyMap<string, PinnedVersion>

/** A document. Of `format` and `wins` people write nothing else, of the rest anything. */
interface Document {
  readonly config?: Json
  readonly format?: string
  readonly slug?: Json
  readonly status?: string
  readonly system_prompt?: Json
  readonly wins?: ReadonlyArray<string>
}

const read = ({
  config,
  format = "responses",
  slug,
  system_prompt: systemPrompt = null,
  wins = []
}: Document): readonly [slug: string, pinned: PinnedVersion] => {
  const named = formatNamed(format)
  const isPrompt = systemPrompt === null || typeof systemPrompt === "string"
  if (typeof slug === "string" && isPrompt && isObject(config) && named !== undefined) {
    // A file says neither the number nor the id of its version.
    const version = { version: 0, format: named, systemPrompt, config, wins }
    return [slug, { slug, versionId: "", version }]
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
      .map((each): Document => Object(each))
      .filter(({ status = "active" }) => status === "active")
      .map(read)
  )
