/**
 * Why an operation on presets is refused, named by the fact.
 */
import { Schema } from "effect"

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

/** The designated version is none of those that the caller expects. */
export class DesignationMoved extends Schema.TaggedError<DesignationMoved>()("DesignationMoved", {
  slug: Schema.String
}) {}
