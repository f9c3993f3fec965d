/**
 * One version of a preset. Versions are never changed and never removed.
 */
import { Schema } from "effect"
import { UserId } from "../workspace/Workspace.ts"
import { PresetConfig } from "./PresetConfig.ts"
import { PresetId } from "./PresetId.ts"

export const PresetVersionId = Schema.String.check(Schema.isUUID()).pipe(
  Schema.brand("PresetVersionId")
)
export type PresetVersionId = typeof PresetVersionId.Type

/** 1 for the first version of a preset, then 2, 3, … without gaps. */
export const VersionNumber = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** A version as it is stored. */
export const PresetVersion = Schema.Struct({
  id: PresetVersionId,
  presetId: PresetId,
  version: VersionNumber,
  creatorId: UserId,
  systemPrompt: Schema.NullOr(Schema.String),
  config: PresetConfig,
  createdAt: Schema.DateTimeUtcFromMillis,
  updatedAt: Schema.DateTimeUtcFromMillis
})
export type PresetVersion = typeof PresetVersion.Type
