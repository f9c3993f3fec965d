/**
 * One version of a preset. Version numbers are never reused. The content never changes, but can be
 * erased.
 */
import { Schema } from "effect"
import { FormatName } from "../request/RequestFormat.ts"
import { charactersAtMost } from "../schema/Rule.ts"
import { isStorable } from "../schema/StorableText.ts"
import { UserId } from "../workspace/Workspace.ts"

/** The fields that a preset keeps from a request, with keys and values exactly as sent. */
export const PresetConfig = Schema.Record(Schema.String, Schema.Json).annotate({
  identifier: "PresetConfig"
})
export type PresetConfig = typeof PresetConfig.Type

/** The id of a preset: a UUIDv7. */
export const PresetId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("PresetId"))
export type PresetId = typeof PresetId.Type

export const PresetVersionId = Schema.String.check(Schema.isUUID()).pipe(
  Schema.brand("PresetVersionId")
)
export type PresetVersionId = typeof PresetVersionId.Type

/** The number of a version: 1 for the first version of a preset, then 2, 3, … without gaps. */
export const VersionNumber = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** Maximum length of a comment, in code points. */
export const commentMax = 1_000

/** The author's comment on a version. */
export const VersionComment = Schema.String.check(
  charactersAtMost(commentMax),
  Schema.makeFilter(isStorable, { message: "no NUL and no lone surrogate" })
)

/** The time of an erasure, and the user who erased the content. */
export const ContentErasure = Schema.Struct({ at: Schema.DateTimeUtcFromMillis, by: UserId })
export type ContentErasure = typeof ContentErasure.Type

/** A version of a preset, as it is stored. */
export const PresetVersion = Schema.Struct({
  id: PresetVersionId,
  presetId: PresetId,
  version: VersionNumber,
  creatorId: UserId,
  /** The format of the request that created the version. */
  format: FormatName,
  systemPrompt: Schema.NullOr(Schema.String),
  config: PresetConfig,
  /** The names of the `config` fields that take precedence over a request's own fields. */
  wins: Schema.Array(Schema.String),
  comment: Schema.NullOr(Schema.String),
  /**
   * The erasure of the content; null while the version has its content. An erased version has no
   * prompt and an empty `config`.
   */
  erased: Schema.NullOr(ContentErasure),
  createdAt: Schema.DateTimeUtcFromMillis,
  updatedAt: Schema.DateTimeUtcFromMillis
})
export type PresetVersion = typeof PresetVersion.Type

/** Returns a version without its content, but with its number, timestamps, author and comment. */
export const eraseContent = (version: PresetVersion, erased: ContentErasure): PresetVersion => ({
  ...version,
  systemPrompt: null,
  config: {},
  wins: [],
  erased
})
