/**
 * Presets from exported files (`verbatim presets export`), for a program that has not yet reached
 * its registry.
 */
import { formatNamed } from "../Format.ts"
import { isObject, type Json } from "../Json.ts"
import type { PinnedVersion } from "./Pin.ts"

/** Presets from exported files, by slug. */
export type Fallback = ReadonlyMap<string, PinnedVersion>

/** A preset document from an exported file. Only `format` and `wins` are validated. */
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
    // Files contain neither version numbers nor version ids.
    const version = { version: 0, format: named, systemPrompt, config, wins }
    return [slug, { slug, versionId: "", version }]
  }
  throw new TypeError("A document of the fallback is not an exported preset")
}

/**
 * Reads preset documents, and throws for anything else. Missing fields get the defaults of `apply`.
 * Inactive presets are omitted.
 */
export const readFallback = (documents: ReadonlyArray<Json>): Fallback =>
  new Map(
    documents
      .map((each): Document => Object(each))
      .filter(({ status = "active" }) => status === "active")
      .map(read)
  )
