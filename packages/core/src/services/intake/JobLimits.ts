/**
 * Limits on jobs: how many may be unfinished, and how many minutes a day may be charged. Both are
 * judged before a body is read, and the first once more when the job is written. Where no limit is
 * set, nothing is asked.
 */

import { DateTime, Duration, Effect, Schema } from "effect"
import { refusal } from "../../domain/schema/Refusal.ts"
import type { ApiKeyId, Principal } from "../../domain/workspace/ApiKey.ts"
import { LimitOwner, type Limits, noLimits } from "../../domain/workspace/Limits.ts"
import { dayOf, timeOfDay } from "../../domain/workspace/Usage.ts"
import type { Workspace } from "../../domain/workspace/Workspace.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import { JobStore, type JobStoreError, type UnfinishedMax } from "../../ports/JobStore.ts"
import { WorkspaceStore, type WorkspaceStoreError } from "../../ports/WorkspaceStore.ts"

const meanings = {
  unfinishedJobs: "jobs that have not ended, as many as it may",
  minutesPerDay: "minutes of audio charged today, as many as it may"
} as const

const owners = { workspace: "The workspace", key: "The key" } as const

/** A workspace, or a key, has all that it may have of something for now. */
export class LimitReached extends refusal<LimitReached>()("LimitReached", {
  fields: {
    of: LimitOwner,
    limit: Schema.Literals(["unfinishedJobs", "minutesPerDay"]),
    /** After that a repeat may succeed. */
    retryAfter: Schema.DurationFromMillis
  },
  sentence: ({ limit, of }) => `${owners[of]} has ${meanings[limit]}`
}) {}

/** Jobs end after seconds or after hours: nobody knows. */
const unfinishedRetry = Duration.seconds(10)

/** Refuses, and counts that. */
export const refuseReached = (reached: LimitReached): Effect.Effect<never, LimitReached> => {
  const { limit, of } = reached
  return Effect.andThen(coreMetrics.limitRefusals.record({ limit, of }), Effect.fail(reached))
}

const unfinishedReached = (of: LimitOwner) =>
  new LimitReached({ of, limit: "unfinishedJobs", retryAfter: unfinishedRetry })

/** Refuses a job that would be one too many. */
export const refuseUnfinished = (of: LimitOwner): Effect.Effect<never, LimitReached> =>
  refuseReached(unfinishedReached(of))

/** Whose limits hold for a job. */
interface Asking {
  readonly principal: Principal
  /** As it is now. */
  readonly workspace: Workspace
}

/** A workspace or a key, with what it may have. */
interface Owner {
  readonly of: LimitOwner
  readonly keyId: ApiKeyId | null
  readonly limits: Limits
}

const ownersOf = ({ principal, workspace }: Asking): ReadonlyArray<Owner> => {
  const { keyId, limits = noLimits } = principal
  const ofWorkspace: Owner = { of: "workspace", keyId: null, limits: workspace }
  return keyId === undefined ? [ofWorkspace] : [ofWorkspace, { of: "key", keyId, limits }]
}

/** How many jobs may be unfinished, for the store to hold. */
export const unfinishedMaxOf = ({ principal, workspace }: Asking): UnfinishedMax => ({
  workspace: workspace.unfinishedJobs,
  key: principal.limits?.unfinishedJobs ?? null
})

/** Judges whether another job may be asked for. A refusal is not counted yet. */
export type JudgeLimits = (
  asking: Asking
) => Effect.Effect<void, JobStoreError | LimitReached | WorkspaceStoreError>

/** The judge over the stores. */
export const makeJudgeLimits: Effect.Effect<JudgeLimits, never, JobStore | WorkspaceStore> =
  Effect.gen(function* () {
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

    /** Jobs under way are charged when they end, so they may take a day beyond its limit. */
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

    return (asking) =>
      Effect.forEach(
        ownersOf(asking),
        (owner) =>
          Effect.andThen(
            judgeUnfinished(asking.workspace, owner),
            judgeMinutes(asking.workspace, owner)
          ),
        { discard: true }
      )
  })
