/**
 * Why an operation on presets is refused, named by the fact.
 */
import { Schema } from "effect"
import { Unmet } from "./PresetCondition.ts"

/** Writing presets takes a management key. */
export class ManagementKeyRequired extends Schema.TaggedError<ManagementKeyRequired>()(
  "ManagementKeyRequired",
  {}
) {}

/** The workspace has no preset with that slug, or had none at that instant. */
export class PresetNotFound extends Schema.TaggedError<PresetNotFound>()("PresetNotFound", {
  slug: Schema.String
}) {}

/** The preset has no version with that number. */
export class VersionNotFound extends Schema.TaggedError<VersionNotFound>()("VersionNotFound", {
  slug: Schema.String,
  version: Schema.Int
}) {}

/** The preset's status does not allow it: an archived preset changes only by being restored. */
export class PresetInactive extends Schema.TaggedError<PresetInactive>()("PresetInactive", {
  slug: Schema.String,
  status: Schema.String
}) {}

/** The preset is not as the caller requires it to be. */
export class ConditionFailed extends Schema.TaggedError<ConditionFailed>()("ConditionFailed", {
  slug: Schema.String,
  unmet: Unmet
}) {}
