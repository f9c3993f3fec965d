/**
 * Workspaces and keys as the wire shows them. No view has the hash of a key; its token is told
 * once, beside the view.
 */
import {
  type ApiKey,
  KeyKind,
  statusOf,
  toMinutes,
  type Workspace,
  WorkspaceStatus
} from "@verbatim/core/workspace"
import { DateTime, Schema } from "effect"
import { instant, orNull, uuid } from "../AnswerFields.ts"
import { LimitsView, toLimitsView } from "./LimitsView.ts"
import { RetentionView, toRetentionView } from "./RetentionWire.ts"

/** A workspace. */
export const WorkspaceView = Schema.Struct({
  id: uuid,
  name: Schema.String,
  external_id: orNull(
    Schema.String,
    "The host's own name for it. Null once its deletion has begun, also when it had one."
  ),
  status: WorkspaceStatus.annotate({
    description:
      "The keys of a `disabled` workspace are refused, and its jobs go on. What a `deleting` one " +
      "has is removed in steps, then it is `deleted`."
  }),
  limits: LimitsView,
  retention: RetentionView,
  keywords: Schema.Array(Schema.String).annotate({
    description: "Names and terms that engines are told after those of each request."
  }),
  created_at: instant
})
export type WorkspaceView = typeof WorkspaceView.Type

/** What a workspace has left. */
export const BalanceView = Schema.Struct({
  balance_minutes: Schema.String.annotate({
    description: "The minutes that are left, as a decimal number with two digits."
  })
})

/** A workspace with what it has left. */
export const AccountView = Schema.Struct({ ...WorkspaceView.fields, ...BalanceView.fields })

/** A key without its token. */
export const KeyView = Schema.Struct({
  id: uuid,
  workspace_id: uuid,
  kind: KeyKind,
  name: Schema.NullOr(Schema.String),
  user: orNull(
    Schema.String,
    "The host's own name for the user. Null where the key is the first user's."
  ),
  user_id: Schema.String.annotate({
    description: "The user, as presets name their creators: `user_` and a UUID."
  }),
  scopes: orNull(
    Schema.Array(Schema.String),
    "What the key may do of what its kind may; null for all of that."
  ),
  hint: Schema.String.annotate({ description: "How its token begins." }),
  created_at: instant,
  expires_at: orNull(instant, "From when on it is refused."),
  revoked_at: orNull(instant, "When it was revoked."),
  last_used_at: orNull(instant, "Within an hour."),
  limits: LimitsView
})
export type KeyView = typeof KeyView.Type

/** Shows a workspace. */
export const toWorkspaceView = (workspace: Workspace): WorkspaceView => ({
  id: workspace.id,
  name: workspace.name,
  external_id: workspace.externalId,
  status: statusOf[workspace._tag],
  limits: toLimitsView(workspace),
  retention: toRetentionView(workspace),
  keywords: workspace.keywords,
  created_at: DateTime.formatIso(workspace.createdAt)
})

/** Shows what a workspace has left. */
export const toBalanceView = (balanceMillis: number) => ({
  balance_minutes: toMinutes(balanceMillis)
})

/** Shows a workspace with what it has left. */
export const toAccountView = (account: {
  readonly workspace: Workspace
  readonly balanceMillis: number
}) => ({ ...toWorkspaceView(account.workspace), ...toBalanceView(account.balanceMillis) })

const toIso = (instant: DateTime.Utc | null): string | null =>
  instant === null ? null : DateTime.formatIso(instant)

/** Shows a key. */
export const toKeyView = (key: ApiKey): KeyView => ({
  id: key.id,
  workspace_id: key.workspaceId,
  kind: key.kind,
  name: key.name,
  user: key.holder,
  user_id: key.userId,
  scopes: key.scopes,
  hint: key.hint,
  created_at: DateTime.formatIso(key.createdAt),
  expires_at: toIso(key.expiresAt),
  revoked_at: toIso(key.revokedAt),
  last_used_at: toIso(key.lastUsedAt),
  limits: toLimitsView(key)
})
