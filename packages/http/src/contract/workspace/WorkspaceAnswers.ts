/**
 * Views of workspaces and keys, and the matching request bodies. No view contains a key's hash, and
 * only the response with a new key contains its token.
 */

import { Integer, Rule } from "@verbatim/core/schema"
import {
  type ApiKey,
  KeyKind,
  type Limits,
  limitRules,
  noLimits,
  type RetentionRule,
  retentionDayMax,
  statusOf,
  toMinutes,
  type Workspace,
  type WorkspaceChange,
  WorkspaceStatus
} from "@verbatim/core/workspace"
import { DateTime, Schema, Struct } from "effect"
import { exampleUser } from "../Errors.ts"
import { instant, makeAnswer, orNull, textField, uuid } from "../Parameters.ts"

const limitFields = {
  requests_per_second: orNull(
    limitRules.requestsPerSecond,
    "Requests per second, over all processes. Null for no limit."
  ),
  unfinished_jobs: orNull(limitRules.unfinishedJobs, "Unfinished jobs. Null for no limit."),
  minutes_per_day: orNull(
    limitRules.minutesPerDay,
    "Minutes of audio charged per day in UTC. Null for no limit."
  )
}

export const LimitsView = Schema.Struct(limitFields).annotate({ identifier: "Limits" })
export type LimitsView = typeof LimitsView.Type

/** Limits in a change. An omitted limit stays unchanged. */
export const PartialLimits = Schema.Struct(Struct.map(limitFields, Schema.optionalKey)).annotate({
  identifier: "PartialLimits"
})
type PartialLimits = typeof PartialLimits.Type

const toLimitsView = (limits: Limits): LimitsView => ({
  requests_per_second: limits.requestsPerSecond,
  unfinished_jobs: limits.unfinishedJobs,
  minutes_per_day: limits.minutesPerDay
})

/** Reads the limits that a change sets, and skips omitted ones. */
export const toPartialLimits = (given: PartialLimits): Partial<Limits> => ({
  ...("requests_per_second" in given ? { requestsPerSecond: given.requests_per_second } : {}),
  ...("unfinished_jobs" in given ? { unfinishedJobs: given.unfinished_jobs } : {}),
  ...("minutes_per_day" in given ? { minutesPerDay: given.minutes_per_day } : {})
})

/** Reads the limits of a new workspace or key. An omitted limit means no limit. */
export const toLimits = (given: PartialLimits | null | undefined): Limits => ({
  ...noLimits,
  ...toPartialLimits(given ?? {})
})

const days = (what: string) =>
  orNull(
    Integer.check(Rule.numberAtLeast(1), Rule.numberAtMost(retentionDayMax)),
    `Days after the end of a job to keep ${what}; null for the server's rule.`
  )

const retentionFields = {
  media_days: days("its media"),
  transcript_days: days("its transcript and its summary"),
  job_days: days("the whole job")
}

/** A workspace's retention rule. If a field is null, the server's rule applies. */
export const RetentionView = Schema.Struct(retentionFields).annotate({
  identifier: "Retention",
  description:
    "How long ended jobs are kept. A job is deleted with its transcript, and a transcript with " +
    "its media; the ledger stays."
})
export type RetentionView = typeof RetentionView.Type

/** A change to the retention rule. An omitted field stays unchanged. */
export const RetentionBody = Schema.Struct(
  Struct.map(retentionFields, Schema.optionalKey)
).annotate({ identifier: "RetentionChange" })
type RetentionBody = typeof RetentionBody.Type

const toRetentionView = ({ jobDays, mediaDays, transcriptDays }: RetentionRule): RetentionView => ({
  media_days: mediaDays,
  transcript_days: transcriptDays,
  job_days: jobDays
})

/** Converts a retention rule in a body to a change of the workspace. */
export const toRetentionChange = ({
  job_days,
  media_days,
  transcript_days
}: RetentionBody): Pick<WorkspaceChange, "jobDays" | "mediaDays" | "transcriptDays"> => ({
  ...(media_days === undefined ? {} : { mediaDays: media_days }),
  ...(transcript_days === undefined ? {} : { transcriptDays: transcript_days }),
  ...(job_days === undefined ? {} : { jobDays: job_days })
})

export const WorkspaceView = Schema.Struct({
  id: uuid,
  name: Schema.String,
  external_id: orNull(
    Schema.String,
    "The host's own id. Null once the workspace's deletion has begun."
  ),
  status: WorkspaceStatus.annotate({
    description:
      "The keys of a `disabled` workspace are refused, but its jobs keep running. The data of a " +
      "`deleting` workspace is removed step by step, then it is `deleted`."
  }),
  limits: LimitsView,
  retention: RetentionView,
  keywords: Schema.Array(Schema.String).annotate({
    description: "Names and terms passed to engines after those of each request."
  }),
  created_at: instant
})
export type WorkspaceView = typeof WorkspaceView.Type

const BalanceView = Schema.Struct({
  balance_minutes: textField("The remaining minutes, as a decimal number with two digits.")
})

const AccountView = Schema.Struct({ ...WorkspaceView.fields, ...BalanceView.fields })

/** A key as the API shows it, without its token. */
export const KeyView = Schema.Struct({
  id: uuid,
  workspace_id: uuid,
  kind: KeyKind,
  name: Schema.NullOr(Schema.String),
  user: orNull(Schema.String, "The host's own id for the user. Null for the first user."),
  user_id: textField("The id of the user, as shown for authors of presets: `user_` and a UUID."),
  scopes: orNull(
    Schema.Array(Schema.String),
    "Which permissions of its kind the key has; null for all of them."
  ),
  hint: textField("The beginning of the key's token."),
  created_at: instant,
  expires_at: orNull(instant, "When the key expires."),
  revoked_at: orNull(instant, "When the key was revoked."),
  last_used_at: orNull(instant, "When the key was last used, accurate to an hour."),
  limits: LimitsView
})
export type KeyView = typeof KeyView.Type

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

export const toBalanceView = (balanceMillis: number) => ({
  balance_minutes: toMinutes(balanceMillis)
})

export const toAccountView = (account: {
  readonly workspace: Workspace
  readonly balanceMillis: number
}) => ({ ...toWorkspaceView(account.workspace), ...toBalanceView(account.balanceMillis) })

const toIso = (instant: DateTime.Utc | null): string | null =>
  instant === null ? null : DateTime.formatIso(instant)

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

/** Example requests that create or change a workspace or a key. */
export const requests = {
  workspace: {
    name: "Example customer",
    external_id: "customer-42",
    limits: { requests_per_second: 20, unfinished_jobs: 100 }
  },
  change: {
    status: "disabled",
    limits: { requests_per_second: 20, unfinished_jobs: null },
    retention: { transcript_days: 30, job_days: 365 },
    keywords: ["Zoë Baker", "myocarditis"]
  },
  credit: { minutes: 600, credit_id: "0194246d-2f2e-4c5d-9e6f-7a8b9c0d1e2f" },
  key: {
    kind: "inference",
    name: "Upload service",
    user: "alice",
    scopes: ["transcriptions:read", "transcriptions:write"],
    expires_at: "2099-01-02T03:04:05.000Z"
  },
  rotation: { overlap_seconds: 86_400 }
} as const

const workspace: WorkspaceView = {
  id: "018f4d6e-8f2a-7d4c-8e5f-6a7b8c9d0e1f",
  name: requests.workspace.name,
  external_id: requests.workspace.external_id,
  status: "active",
  limits: { requests_per_second: 20, unfinished_jobs: 100, minutes_per_day: null },
  retention: { media_days: null, transcript_days: 30, job_days: 365 },
  keywords: requests.change.keywords,
  created_at: "2025-01-02T03:04:05.678Z"
}

const balance = { balance_minutes: "600.00" }

const key: KeyView = {
  id: "0194246d-2f2e-7d6e-8f70-8b9c0d1e2f3a",
  workspace_id: workspace.id,
  kind: requests.key.kind,
  name: requests.key.name,
  user: requests.key.user,
  user_id: exampleUser,
  scopes: requests.key.scopes,
  hint: "vbi_1a2b…",
  created_at: "2025-01-02T03:04:05.678Z",
  expires_at: requests.key.expires_at,
  revoked_at: null,
  last_used_at: null,
  limits: { requests_per_second: null, unfinished_jobs: null, minutes_per_day: null }
}

const token = "vbi_1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7081"

export const WorkspaceAnswer = makeAnswer(
  WorkspaceView.annotate({ identifier: "Workspace" }),
  workspace
).annotate({ identifier: "WorkspaceAnswer", description: "The workspace." })

const Account = AccountView.annotate({ identifier: "Account" })

const account = { ...workspace, ...balance }

export const AccountAnswer = makeAnswer(Account, account).annotate({
  identifier: "AccountAnswer",
  description: "The workspace with its balance."
})

export const AccountPage = Schema.Struct({
  data: Schema.Array(Account),
  next_cursor: orNull(Schema.String, "The `cursor` for the next page; null on the last page.")
}).annotate({
  identifier: "AccountPage",
  description: "A page of workspaces.",
  examples: [{ data: [account], next_cursor: null }]
})

export const BalanceAnswer = makeAnswer(BalanceView, balance).annotate({
  identifier: "BalanceAnswer",
  description: "The new balance."
})

const Key = KeyView.annotate({ identifier: "Key" })

export const KeyPage = Schema.Struct({
  data: Schema.Array(Key),
  next_cursor: Schema.Null.annotate({ description: "Null: all keys are on one page." })
}).annotate({
  identifier: "KeyPage",
  description: "The keys, including revoked ones.",
  examples: [{ data: [key], next_cursor: null }]
})

export const IssuedKeyAnswer = Schema.Struct({
  data: Schema.Struct({
    ...KeyView.fields,
    token: textField(
      "The token to send as `Authorization: Bearer <token>`. Only this answer contains it."
    )
  }).annotate({ identifier: "IssuedKey" })
}).annotate({
  identifier: "IssuedKeyAnswer",
  description: "The new key with its token.",
  examples: [{ data: { ...key, token: token } }]
})
