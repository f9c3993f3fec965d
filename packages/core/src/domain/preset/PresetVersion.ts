/**
 * One version of a preset. Versions are never changed and never removed.
 */
import { Schema } from "effect"
import { FormatName } from "../request/FormatName.ts"
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
  /** The format of the request it was made from; null when that was before formats were kept. */
  format: Schema.NullOr(FormatName),
  systemPrompt: Schema.NullOr(Schema.String),
  config: PresetConfig,
  createdAt: Schema.DateTimeUtcFromMillis,
  updatedAt: Schema.DateTimeUtcFromMillis
})
export type PresetVersion = typeof PresetVersion.Type
