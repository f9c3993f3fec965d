/**
 * Workspaces and keys as the wire shows them, and the bodies that say the same. No view has the
 * hash of a key; its token is in one answer.
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
import { instant, makeAnswer, orNull, uuid } from "../Parameters.ts"

const limitFields = {
  requests_per_second: Schema.NullOr(limitRules.requestsPerSecond).annotate({
    description: "Requests in a second, over all processes. Null for no limit."
  }),
  unfinished_jobs: Schema.NullOr(limitRules.unfinishedJobs).annotate({
    description: "Jobs that have not ended, at the same time. Null for no limit."
  }),
  minutes_per_day: Schema.NullOr(limitRules.minutesPerDay).annotate({
    description: "Minutes of audio charged in a day of UTC. Null for no limit."
  })
}

/** What may be asked for at most. */
export const LimitsView = Schema.Struct(limitFields).annotate({ identifier: "Limits" })
export type LimitsView = typeof LimitsView.Type

/** Some of the limits. What is left out is not given. */
export const PartialLimits = Schema.Struct(Struct.map(limitFields, Schema.optionalKey)).annotate({
  identifier: "PartialLimits"
})
type PartialLimits = typeof PartialLimits.Type

/** Shows limits. */
const toLimitsView = (limits: Limits): LimitsView => ({
  requests_per_second: limits.requestsPerSecond,
  unfinished_jobs: limits.unfinishedJobs,
  minutes_per_day: limits.minutesPerDay
})

/** Reads the limits that are given, and no others. */
export const toPartialLimits = (given: PartialLimits): Partial<Limits> => ({
  ...("requests_per_second" in given ? { requestsPerSecond: given.requests_per_second } : {}),
  ...("unfinished_jobs" in given ? { unfinishedJobs: given.unfinished_jobs } : {}),
  ...("minutes_per_day" in given ? { minutesPerDay: given.minutes_per_day } : {})
})

/** Reads all limits, which are none where they are not given. */
export const toLimits = (given: PartialLimits | null | undefined): Limits => ({
  ...noLimits,
  ...toPartialLimits(given ?? {})
})

const days = (what: string) =>
  Schema.NullOr(Integer.check(Rule.numberAtLeast(1), Rule.numberAtMost(retentionDayMax))).annotate({
    description: `Days after a job has ended for which ${what} stays; null for the server's rule.`
  })

const retentionFields = {
  media_days: days("its media"),
  transcript_days: days("its transcript, with its summary,"),
  job_days: days("the whole job")
}

/** The rule of a workspace: each null where the server's own holds. */
export const RetentionView = Schema.Struct(retentionFields).annotate({
  identifier: "Retention",
  description:
    "For how long jobs that have ended stay. A job takes its transcript along, and a transcript " +
    "its media; the ledger stays."
})
export type RetentionView = typeof RetentionView.Type

/** A change of it: what is left out stays as it is. */
export const RetentionBody = Schema.Struct({
  media_days: Schema.optionalKey(retentionFields.media_days),
  transcript_days: Schema.optionalKey(retentionFields.transcript_days),
  job_days: Schema.optionalKey(retentionFields.job_days)
}).annotate({ identifier: "RetentionChange" })
type RetentionBody = typeof RetentionBody.Type

/** Shows a rule. */
const toRetentionView = ({ jobDays, mediaDays, transcriptDays }: RetentionRule): RetentionView => ({
  media_days: mediaDays,
  transcript_days: transcriptDays,
  job_days: jobDays
})

/** The part of a change that it asks for. */
export const toRetentionChange = ({
  job_days,
  media_days,
  transcript_days
}: RetentionBody): Pick<WorkspaceChange, "jobDays" | "mediaDays" | "transcriptDays"> => ({
  ...(media_days === undefined ? {} : { mediaDays: media_days }),
  ...(transcript_days === undefined ? {} : { transcriptDays: transcript_days }),
  ...(job_days === undefined ? {} : { jobDays: job_days })
})

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
const BalanceView = Schema.Struct({
  balance_minutes: Schema.String.annotate({
    description: "The minutes that are left, as a decimal number with two digits."
  })
})

/** A workspace with what it has left. */
const AccountView = Schema.Struct({ ...WorkspaceView.fields, ...BalanceView.fields })

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

/** Requests, by what they are about. */
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

/** The workspace. */
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

/** What it has left. */
const balance = { balance_minutes: "600.00" }

/** Its key. */
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

/** Its token. */
const token = "vbi_1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7081"

/** One workspace. */
export const WorkspaceAnswer = makeAnswer(
  WorkspaceView.annotate({ identifier: "Workspace" }),
  workspace
).annotate({ identifier: "WorkspaceAnswer", description: "The workspace." })

const Account = AccountView.annotate({ identifier: "Account" })

const account = { ...workspace, ...balance }

/** One workspace with what it has left. */
export const AccountAnswer = makeAnswer(Account, account).annotate({
  identifier: "AccountAnswer",
  description: "The workspace with what it has left."
})

/** A page of workspaces. */
export const AccountPage = Schema.Struct({
  data: Schema.Array(Account),
  next_cursor: Schema.NullOr(Schema.String).annotate({
    description: "The `cursor` of the next page; null on the last one."
  })
}).annotate({
  identifier: "AccountPage",
  description: "The workspaces of the page.",
  examples: [{ data: [account], next_cursor: null }]
})

/** What a workspace has after a credit. */
export const BalanceAnswer = makeAnswer(BalanceView, balance).annotate({
  identifier: "BalanceAnswer",
  description: "What the workspace has now."
})

const Key = KeyView.annotate({ identifier: "Key" })

/** All keys of a workspace. */
export const KeyPage = Schema.Struct({
  data: Schema.Array(Key),
  next_cursor: Schema.Null.annotate({ description: "Null: all keys are on one page." })
}).annotate({
  identifier: "KeyPage",
  description: "The keys, revoked ones too.",
  examples: [{ data: [key], next_cursor: null }]
})

/** A new key with its token. */
export const IssuedKeyAnswer = Schema.Struct({
  data: Schema.Struct({
    ...KeyView.fields,
    token: Schema.String.annotate({
      description:
        "What is sent as `Authorization: Bearer <token>`. It is told here and never again."
    })
  }).annotate({ identifier: "IssuedKey" })
}).annotate({
  identifier: "IssuedKeyAnswer",
  description: "The new key with its token.",
  examples: [{ data: { ...key, token: token } }]
})
