/**
 * Limits on jobs: the number of unfinished jobs, and the minutes charged per day. Both limits are
 * checked before a body is read, and the first is checked again when the job is written. If there
 * are no limits, nothing is queried.
 */

import { DateTime, Duration, Effect, Schema } from "effect"
import { refusal } from "../../domain/schema/Refusal.ts"
import type { ApiKeyId, Principal } from "../../domain/workspace/ApiKey.ts"
import { LimitOwner, type Limits, noLimits } from "../../domain/workspace/Limits.ts"
import { dayOf, timeOfDay } from "../../domain/workspace/Usage.ts"
import type { Workspace } from "../../domain/workspace/Workspace.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import { JobStore, type UnfinishedMax } from "../../ports/JobStore.ts"
import { WorkspaceStore } from "../../ports/WorkspaceStore.ts"

const meanings = {
  unfinishedJobs: "reached its maximum of unfinished jobs",
  minutesPerDay: "used its minutes of audio for today"
} as const

const owners = { workspace: "The workspace", key: "The key" } as const

/** A workspace or a key has reached a limit. */
export class LimitReached extends refusal<LimitReached>()("LimitReached", {
  fields: {
    of: LimitOwner,
    limit: Schema.Literals(["unfinishedJobs", "minutesPerDay"]),
    /** Time after which a repeat may succeed. */
    retryAfter: Schema.DurationFromMillis
  },
  sentence: ({ limit, of }) => `${owners[of]} has ${meanings[limit]}`
}) {}

/** An arbitrary delay, because jobs end unpredictably, after seconds or after hours. */
const unfinishedRetry = Duration.seconds(10)

/** Refuses a request because a limit is reached, and counts the refusal. */
export const refuseReached = (reached: LimitReached): Effect.Effect<never, LimitReached> => {
  const { limit, of } = reached
  return Effect.andThen(coreMetrics.limitRefusals.record({ limit, of }), Effect.fail(reached))
}

const unfinishedReached = (of: LimitOwner) =>
  new LimitReached({ of, limit: "unfinishedJobs", retryAfter: unfinishedRetry })

/** Refuses a request because there are too many unfinished jobs. */
export const refuseUnfinished = (of: LimitOwner): Effect.Effect<never, LimitReached> =>
  refuseReached(unfinishedReached(of))

/** The caller to which the limits apply. */
interface Requester {
  readonly principal: Principal
  /** The workspace in its current state. */
  readonly workspace: Workspace
}

/** A workspace or a key, with its limits. */
interface Owner {
  readonly of: LimitOwner
  readonly keyId: ApiKeyId | null
  readonly limits: Limits
}

const ownersOf = ({ principal, workspace }: Requester): ReadonlyArray<Owner> => {
  const { keyId, limits = noLimits } = principal
  const ofWorkspace: Owner = { of: "workspace", keyId: null, limits: workspace }
  return keyId === undefined ? [ofWorkspace] : [ofWorkspace, { of: "key", keyId, limits }]
}

/** The maximum numbers of unfinished jobs, for the store to enforce. */
export const toUnfinishedMax = ({ principal, workspace }: Requester): UnfinishedMax => ({
  workspace: workspace.unfinishedJobs,
  key: principal.limits?.unfinishedJobs ?? null
})

/** Makes the check of whether another job is allowed. The check does not count its refusals. */
export const makeJudgeLimits = Effect.gen(function* () {
  const jobs = yield* JobStore
  const ledgers = yield* WorkspaceStore

  const judgeUnfinished = Effect.fnUntraced(function* (
    { id: workspaceId }: Workspace,
    { keyId, limits: { unfinishedJobs: countMax }, of }: Owner
  ) {
    if (countMax === null) return
    const count = yield* jobs.unfinished({ workspaceId, keyId, countMax })
    if (count >= countMax) return yield* unfinishedReached(of)
  })

  /** Running jobs are charged when they end, so they can exceed the daily limit. */
  const judgeMinutes = Effect.fnUntraced(function* (
    { id: workspaceId }: Workspace,
    { keyId, limits: { minutesPerDay }, of }: Owner
  ) {
    if (minutesPerDay === null) return
    const now = yield* DateTime.now
    const today = timeOfDay(dayOf(now))
    const query = { workspaceId, keyId, by: "workspace", after: null, limit: 1 } as const
    const [sums] = yield* ledgers.usage({ ...today, ...query })
    const charged = Duration.millis(sums?.chargedMillis ?? 0)
    if (Duration.isLessThan(charged, Duration.minutes(minutesPerDay))) return
    const retryAfter = DateTime.distance(now, today.to)
    return yield* new LimitReached({ of, limit: "minutesPerDay", retryAfter })
  })

  return (requester: Requester) =>
    Effect.forEach(
      ownersOf(requester),
      (owner) =>
        Effect.andThen(
          judgeUnfinished(requester.workspace, owner),
          judgeMinutes(requester.workspace, owner)
        ),
      { discard: true }
    )
})
