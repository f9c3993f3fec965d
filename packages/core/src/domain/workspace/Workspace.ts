/**
 * A workspace: the tenant that owns keys, presets, jobs and a balance.
 */
import { Schema } from "effect"

export const WorkspaceId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("WorkspaceId"))
export type WorkspaceId = typeof WorkspaceId.Type

/** `user_<uuid>`. */
export const UserId = Schema.String.check(
  Schema.isPattern(/^user_[0-9a-f-]{36}$/, { expected: "user_ and a UUID" })
).pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

/** A workspace as the operator sees it. */
export const Workspace = Schema.Struct({
  id: WorkspaceId,
  name: Schema.String,
  /** The user whom bootstrap keys belong to. */
  firstUserId: UserId,
  createdAt: Schema.DateTimeUtcFromMillis
})
export type Workspace = typeof Workspace.Type
