/** Preset versions, for tests without a store. */
import { makeDraft } from "@verbatim/testkit/samples"
import type { Schema } from "effect"
import { PresetVersion } from "#src/domain/preset/PresetVersion"

export const versionOf = (
  config: Schema.JsonObject,
  {
    format = "responses",
    systemPrompt = null,
    version = 1,
    wins = []
  }: Partial<Pick<PresetVersion, "format" | "version" | "systemPrompt" | "wins">> = {}
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
    wins,
    comment: null,
    erased: null
  })
}
