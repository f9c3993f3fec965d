/**
 * One version of a preset. Its number is never used again, and it never changes, but for one thing:
 * its content may be erased.
 */
import { Schema } from "effect"
import { FormatName } from "../request/FormatName.ts"
import { charactersAtMost } from "../schema/Rule.ts"
import { isStorable } from "../schema/StorableText.ts"
import { UserId } from "../workspace/Workspace.ts"

/** The kept fields of a request under the names sent, each exactly as it was sent. */
export const PresetConfig = Schema.Record(Schema.String, Schema.Json).annotate({
  identifier: "PresetConfig"
})
export type PresetConfig = typeof PresetConfig.Type

/** A UUID, version 7. */
export const PresetId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("PresetId"))
export type PresetId = typeof PresetId.Type

export const PresetVersionId = Schema.String.check(Schema.isUUID()).pipe(
  Schema.brand("PresetVersionId")
)
export type PresetVersionId = typeof PresetVersionId.Type

/** 1 for the first version of a preset, then 2, 3, … without gaps. */
export const VersionNumber = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** Longest comment, in code points. */
export const commentMax = 1_000

/** What its author says about a version. */
export const VersionComment = Schema.String.check(
  charactersAtMost(commentMax),
  Schema.makeFilter(isStorable, { message: "no NUL and no half of a character" })
)

/** When the content of a version was erased, and by whom. */
export const ContentErasure = Schema.Struct({ at: Schema.DateTimeUtcFromMillis, by: UserId })
export type ContentErasure = typeof ContentErasure.Type

/** A version as it is stored. */
export const PresetVersion = Schema.Struct({
  id: PresetVersionId,
  presetId: PresetId,
  version: VersionNumber,
  creatorId: UserId,
  /** The format of the request it was made from. */
  format: FormatName,
  systemPrompt: Schema.NullOr(Schema.String),
  config: PresetConfig,
  /** The fields of `config` that count in place of a request's own, by name. */
  wins: Schema.Array(Schema.String),
  comment: Schema.NullOr(Schema.String),
  /** Null while it has its content. Without it there is no prompt, and nothing in `config`. */
  erased: Schema.NullOr(ContentErasure),
  createdAt: Schema.DateTimeUtcFromMillis,
  updatedAt: Schema.DateTimeUtcFromMillis
})
export type PresetVersion = typeof PresetVersion.Type

/** The version without its content. Its number, its times, its author and its comment stay. */
export const eraseContent = (version: PresetVersion, erased: ContentErasure): PresetVersion => ({
  ...version,
  systemPrompt: null,
  config: {},
  wins: [],
  erased
})
