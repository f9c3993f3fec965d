/**
 * The identity of a preset, which outlives its slug's meaning and its versions.
 */
import { Schema } from "effect"

/** A UUID, version 7. */
export const PresetId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("PresetId"))
export type PresetId = typeof PresetId.Type
