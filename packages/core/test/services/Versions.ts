/** Versions of a preset for tests that need no store. */
import { makeDraft } from "@verbatim/testkit/samples"
import type { Schema } from "effect"
import { PresetVersion } from "#src/domain/preset/PresetVersion"
import type { FormatName } from "#src/domain/request/FormatName"

/** A version with that configuration. */
export const versionOf = (
  config: Schema.JsonObject,
  {
    format = "responses",
    systemPrompt = null,
    version = 1
  }: { format?: FormatName | null; version?: number; systemPrompt?: string | null } = {}
): PresetVersion => {
  const { at, creatorId, presetId, versionId } = makeDraft(version)
  const instants = { createdAt: at, updatedAt: at }
  return PresetVersion.make({
    ...instants,
    id: versionId,
    presetId,
    version,
    creatorId,
    format,
    systemPrompt,
    config,
    comment: null,
    erased: null
  })
}
