/**
 * Whether a request is taken in, before anything of it is read: as a new job, if the balance and
 * the limits allow one, or else to see whether it is a repeat, whose cost was judged the first
 * time. The latter is read without being stored, and only a few of a workspace at a time: callers
 * who may have no new job neither fill the disk nor keep those waiting who may.
 */

import { Effect, Option, type Scope } from "effect"
import { refusal } from "../../domain/schema/Refusal.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { isSufficient } from "../../domain/workspace/Usage.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import type { JobStore, JobStoreError } from "../../ports/JobStore.ts"
import type { Account, WorkspaceStore, WorkspaceStoreError } from "../../ports/WorkspaceStore.ts"
import * as Quota from "../quota/Quota.ts"
import { type LimitReached, makeJudgeLimits, refuseReached } from "./JobLimits.ts"
import { makeRepeats } from "./Repeats.ts"

/** Files of one workspace that are read to see whether they are repeats. */
const share = 2

/** Of all workspaces: the digest of each holds 1 MiB. */
const total = 64

/** The workspace has 60 minutes left, or less. */
export class InsufficientBalance extends refusal<InsufficientBalance>()("InsufficientBalance", {
  sentence: "The workspace has 60 minutes left, or less"
}) {}

/** As many files as may be are read already to see whether they are repeats. */
export class TooManyRepeats extends refusal<TooManyRepeats>()("TooManyRepeats", {
  sentence: "Too many requests that may only be repeats are read at the same time"
}) {}

/** Why somebody may have no new job. */
export type NoNewJob = InsufficientBalance | LimitReached

/** Who asks for a job. */
interface Asking extends Pick<Account, "balanceMillis" | "workspace"> {
  readonly principal: Principal
}

/** Who asks for one that nothing is known of yet. */
interface FirstAsking extends Asking {
  /** Whether it joins another job, if it is the same request. */
  readonly isJoining: boolean
}

/** What is decided of those who ask. */
export interface Admissions {
  /**
   * Takes in a request under a key that is known, which asks for nothing new. Of those who may have
   * no new job only a few are read at the same time, for as long as the scope is open.
   */
  readonly admitKnown: (
    asking: Asking
  ) => Effect.Effect<void, JobStoreError | TooManyRepeats | WorkspaceStoreError, Scope.Scope>
  /**
   * Takes a request in, or refuses it. If it answers with a refusal, the request may be read for as
   * long as the scope is open, and is refused with it unless it is a repeat.
   */
  readonly admit: (
    asking: FirstAsking
  ) => Effect.Effect<
    Option.Option<NoNewJob>,
    JobStoreError | NoNewJob | TooManyRepeats | WorkspaceStoreError,
    Scope.Scope
  >
}

/** Refuses, and counts that. */
export const refuse = (refusal: NoNewJob): Effect.Effect<never, NoNewJob> =>
  refusal._tag === "LimitReached" ? refuseReached(refusal) : refuseUnpaid

/** Refuses for want of a balance. */
export const refuseUnpaid: Effect.Effect<never, InsufficientBalance> = Effect.andThen(
  coreMetrics.balanceRefusals.record({}),
  Effect.fail(new InsufficientBalance())
)

/** Decides over the stores. */
export const makeAdmissions: Effect.Effect<
  Admissions,
  never,
  JobStore | Scope.Scope | WorkspaceStore
> = Effect.gen(function* () {
  const judgeLimits = yield* makeJudgeLimits
  const { mayRepeat } = yield* makeRepeats
  const hold = yield* Quota.makeWithTimeout({ share, total, refusal: () => new TooManyRepeats() })

  const judge = Effect.fnUntraced(function* ({ balanceMillis, principal, workspace }: Asking) {
    if (!isSufficient(balanceMillis)) return Option.some(new InsufficientBalance())
    return yield* judgeLimits({ principal, workspace }).pipe(
      Effect.as(Option.none()),
      Effect.catchTag("LimitReached", Effect.succeedSome)
    )
  })

  const admit = Effect.fnUntraced(function* (asking: FirstAsking) {
    const { isJoining, principal } = asking
    const refusal: Option.Option<NoNewJob> = yield* judge(asking)
    if (Option.isNone(refusal)) return refusal
    if (!isJoining || !(yield* mayRepeat(principal))) return yield* refuse(refusal.value)
    yield* hold(principal.workspaceId)
    return refusal
  })

  const admitKnown = Effect.fnUntraced(function* (asking: Asking) {
    const refusal: Option.Option<NoNewJob> = yield* judge(asking)
    if (Option.isSome(refusal)) yield* hold(asking.principal.workspaceId)
  })

  return { admit, admitKnown }
})
