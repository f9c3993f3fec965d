/**
 * Why an operation on presets is refused, named by the fact.
 */
import { Schema } from "effect"
import { Unmet } from "./PresetCondition.ts"

/** Writing presets takes a management key. */
export class ManagementKeyRequired extends Schema.TaggedError<ManagementKeyRequired>()(
  "ManagementKeyRequired",
  {}
) {
  override readonly message = "Only management keys can perform this operation"
}

/** The workspace has no preset with that slug, or had none at that instant. */
export class PresetNotFound extends Schema.TaggedError<PresetNotFound>()("PresetNotFound", {
  slug: Schema.String
}) {
  override get message(): string {
    return `There is no preset ${this.slug}`
  }
}

/** The preset has no version with that number. */
export class VersionNotFound extends Schema.TaggedError<VersionNotFound>()("VersionNotFound", {
  slug: Schema.String,
  version: Schema.Int
}) {
  override get message(): string {
    return `The preset ${this.slug} has no version ${this.version}`
  }
}

/** The preset's status does not allow it: an archived preset changes only by being restored. */
export class PresetInactive extends Schema.TaggedError<PresetInactive>()("PresetInactive", {
  slug: Schema.String,
  status: Schema.String
}) {
  override get message(): string {
    return `The preset ${this.slug} is ${this.status}`
  }
}

/** The preset is not as the caller requires it to be. */
export class ConditionFailed extends Schema.TaggedError<ConditionFailed>()("ConditionFailed", {
  slug: Schema.String,
  unmet: Unmet
}) {
  override get message(): string {
    return `The preset ${this.slug} is not as it was required to be`
  }
}
