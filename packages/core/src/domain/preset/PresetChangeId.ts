/**
 * The id of a change of a preset.
 */
import { Schema } from "effect"

export const PresetChangeId = Schema.String.check(Schema.isUUID()).pipe(
  Schema.brand("PresetChangeId")
)
export type PresetChangeId = typeof PresetChangeId.Type
