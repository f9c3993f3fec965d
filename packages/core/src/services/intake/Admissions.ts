/**
 * Decides whether a request is accepted, before it is read. A request becomes a new job if the
 * balance and the limits allow one. Otherwise, it is read only to find out whether it is a retry,
 * which is free of charge. Such a request is not stored, and each workspace can have only a few of
 * them read at a time, so they neither fill the disk nor delay others.
 */

import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { refusal } from "../../domain/schema/Refusal.ts"
import type { ApiKeyId, Principal } from "../../domain/workspace/ApiKey.ts"
import { LimitOwner, type Limits, noLimits } from "../../domain/workspace/Limits.ts"
import { dayOf, isSufficient, timeOfDay } from "../../domain/workspace/Usage.ts"
import type { Workspace } from "../../domain/workspace/Workspace.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import { JobStore, type UnfinishedMax } from "../../ports/JobStore.ts"
import { type Account, WorkspaceStore } from "../../ports/WorkspaceStore.ts"
import * as Quota from "../quota/Quota.ts"
import { makeRepeats } from "./Repeats.ts"

/** Maximum number of a workspace's files that are read concurrently to recognise retries. */
const share = 2

/**
 * Maximum number of files, in all workspaces, that are read concurrently to recognise retries.
 * Hashing a file takes 1 MiB of memory.
 */
const total = 64

/** The workspace has a balance of 60 minutes or less. */
export class InsufficientBalance extends refusal<InsufficientBalance>()("InsufficientBalance", {
  sentence: "The workspace has 60 minutes or less left"
}) {}

/** The maximum number of files is already being read to find out whether they are retries. */
export class TooManyRepeats extends refusal<TooManyRepeats>()("TooManyRepeats", {
  sentence: "Too many possible repeats are read at the same time"
}) {}

/** The reason why a caller cannot create a job. */
export type NoNewJob = InsufficientBalance | LimitReached

/** The caller of a request, with its workspace and balance. */
interface Requester extends LimitedCaller, Pick<Account, "balanceMillis"> {}

/** A request without an idempotency key, or with one that has not been used before. */
interface NewRequest extends Requester {
  /** Whether the request joins the job of an identical request, if there is one. */
  readonly isJoining: boolean
}

/** Fails with a refusal, and counts it. */
export const refuse = (refusal: NoNewJob): Effect.Effect<never, NoNewJob> =>
  refusal._tag === "LimitReached" ? refuseReached(refusal) : refuseUnpaid

/** Refuses a request because the balance is too low, and counts the refusal. */
export const refuseUnpaid: Effect.Effect<never, InsufficientBalance> = Effect.andThen(
  coreMetrics.balanceRefusals.record({}),
  Effect.fail(new InsufficientBalance())
)

/** Creates functions that decide which requests are accepted. */
export const makeAdmissions = Effect.gen(function* () {
  const judgeLimits = yield* makeJudgeLimits
  const { mayRepeat } = yield* makeRepeats
  const hold = Quota.makeWithTimeout({ share, total, refusal: () => new TooManyRepeats() })

  const judge = Effect.fnUntraced(function* ({ balanceMillis, principal, workspace }: Requester) {
    if (!isSufficient(balanceMillis)) return Option.some(new InsufficientBalance())
    return yield* judgeLimits({ principal, workspace }).pipe(
      Effect.as(Option.none()),
      Effect.catchTag("LimitReached", Effect.succeedSome)
    )
  })

  /**
   * Accepts or refuses a request. A refused request can still be read while the scope is open, and
   * is accepted if it turns out to be a retry.
   */
  const admit = Effect.fnUntraced(function* (requester: NewRequest) {
    const { isJoining, principal } = requester
    const refusal: Option.Option<NoNewJob> = yield* judge(requester)
    if (Option.isNone(refusal)) return refusal
    if (!isJoining || !(yield* mayRepeat(principal))) return yield* refuse(refusal.value)
    yield* hold(principal.workspaceId)
    return refusal
  })

  /**
   * Accepts a request with a known key, which needs no new job. If the caller cannot create another
   * job, only a few such requests are read at the same time. The request counts as one of them
   * until the scope closes.
   */
  const admitKnown = Effect.fnUntraced(function* (requester: Requester) {
    const refusal: Option.Option<NoNewJob> = yield* judge(requester)
    if (Option.isSome(refusal)) yield* hold(requester.principal.workspaceId)
  })

  return { admit, admitKnown }
})

const meanings = {
  unfinishedJobs: "reached its maximum number of unfinished jobs",
  minutesPerDay: "used its minutes of audio for today"
} as const

const owners = { workspace: "The workspace", key: "The key" } as const

/** A workspace or a key has reached a limit. */
export class LimitReached extends refusal<LimitReached>()("LimitReached", {
  fields: {
    of: LimitOwner,
    limit: Schema.Literals(["unfinishedJobs", "minutesPerDay"]),
    /** Time after which a retry may succeed. */
    retryAfter: Schema.DurationFromMillis
  },
  sentence: ({ limit, of }) => `${owners[of]} has ${meanings[limit]}`
}) {}

/** Delay that is suggested to callers. It is arbitrary, because a job can take seconds or hours. */
const unfinishedRetry = Duration.seconds(10)

/** Refuses a request because a limit is reached, and counts the refusal. */
const refuseReached = (reached: LimitReached): Effect.Effect<never, LimitReached> => {
  const { limit, of } = reached
  return Effect.andThen(coreMetrics.limitRefusals.record({ limit, of }), Effect.fail(reached))
}

const unfinishedReached = (of: LimitOwner) =>
  new LimitReached({ of, limit: "unfinishedJobs", retryAfter: unfinishedRetry })

/** Refuses a request because there are too many unfinished jobs. */
export const refuseUnfinished = (of: LimitOwner): Effect.Effect<never, LimitReached> =>
  refuseReached(unfinishedReached(of))

/** The caller that the limits apply to. */
interface LimitedCaller {
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

const ownersOf = ({ principal, workspace }: LimitedCaller): ReadonlyArray<Owner> => {
  const { keyId, limits = noLimits } = principal
  const ofWorkspace: Owner = { of: "workspace", keyId: null, limits: workspace }
  return keyId === undefined ? [ofWorkspace] : [ofWorkspace, { of: "key", keyId, limits }]
}

/** Returns the maximum numbers of unfinished jobs, for the store to enforce. */
export const toUnfinishedMax = ({ principal, workspace }: LimitedCaller): UnfinishedMax => ({
  workspace: workspace.unfinishedJobs,
  key: principal.limits?.unfinishedJobs ?? null
})

/** Creates a function that checks whether another job is allowed. It counts no refusals. */
const makeJudgeLimits = Effect.gen(function* () {
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

  /** Jobs are charged when they end, so running jobs can exceed the daily limit. */
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

  return (requester: LimitedCaller) =>
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
