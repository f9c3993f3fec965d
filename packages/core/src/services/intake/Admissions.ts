/**
 * Decides, before a request is read, whether it is accepted: as a new job, if the balance and the
 * limits allow one, or otherwise only to find out whether it is a repeat, whose cost was checked
 * the first time. Such a request is read without being stored, and only a few per workspace at a
 * time: callers that are allowed no new job neither fill the disk nor delay the others.
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

/** Files of one workspace that are read concurrently to see whether they are repeats. */
const share = 2

/** The same for all workspaces: the digest of each holds 1 MiB. */
const total = 64

/** The workspace has 60 minutes left, or less. */
export class InsufficientBalance extends refusal<InsufficientBalance>()("InsufficientBalance", {
  sentence: "The workspace has 60 minutes left, or less"
}) {}

/** The maximum number of files is already being read to see whether they are repeats. */
export class TooManyRepeats extends refusal<TooManyRepeats>()("TooManyRepeats", {
  sentence: "Too many possible repeats are read at the same time"
}) {}

/** Why a caller is allowed no new job. */
export type NoNewJob = InsufficientBalance | LimitReached

/** The caller of a request, with its workspace and balance. */
interface Requester extends Pick<Account, "balanceMillis" | "workspace"> {
  readonly principal: Principal
}

/** A request that is not known yet. */
interface NewRequest extends Requester {
  /** Whether it joins another job, if it is the same request. */
  readonly isJoining: boolean
}

/** Decides on requests. */
export interface Admissions {
  /**
   * Accepts a request under a known key, which requires no new job. If the caller is allowed no new
   * job, only a few are read at the same time, while the scope is open.
   */
  readonly admitKnown: (
    requester: Requester
  ) => Effect.Effect<void, JobStoreError | TooManyRepeats | WorkspaceStoreError, Scope.Scope>
  /**
   * Accepts or refuses a request. If it returns a refusal, the request can be read while the scope
   * is open, and is refused with it unless it is a repeat.
   */
  readonly admit: (
    requester: NewRequest
  ) => Effect.Effect<
    Option.Option<NoNewJob>,
    JobStoreError | NoNewJob | TooManyRepeats | WorkspaceStoreError,
    Scope.Scope
  >
}

/** Fails with a refusal, and counts it. */
export const refuse = (refusal: NoNewJob): Effect.Effect<never, NoNewJob> =>
  refusal._tag === "LimitReached" ? refuseReached(refusal) : refuseUnpaid

/** Fails because of the balance, and counts it. */
export const refuseUnpaid: Effect.Effect<never, InsufficientBalance> = Effect.andThen(
  coreMetrics.balanceRefusals.record({}),
  Effect.fail(new InsufficientBalance())
)

/** Makes `Admissions` over the stores. */
export const makeAdmissions: Effect.Effect<
  Admissions,
  never,
  JobStore | Scope.Scope | WorkspaceStore
> = Effect.gen(function* () {
  const judgeLimits = yield* makeJudgeLimits
  const { mayRepeat } = yield* makeRepeats
  const hold = yield* Quota.makeWithTimeout({ share, total, refusal: () => new TooManyRepeats() })

  const judge = Effect.fnUntraced(function* ({ balanceMillis, principal, workspace }: Requester) {
    if (!isSufficient(balanceMillis)) return Option.some(new InsufficientBalance())
    return yield* judgeLimits({ principal, workspace }).pipe(
      Effect.as(Option.none()),
      Effect.catchTag("LimitReached", Effect.succeedSome)
    )
  })

  const admit = Effect.fnUntraced(function* (requester: NewRequest) {
    const { isJoining, principal } = requester
    const refusal: Option.Option<NoNewJob> = yield* judge(requester)
    if (Option.isNone(refusal)) return refusal
    if (!isJoining || !(yield* mayRepeat(principal))) return yield* refuse(refusal.value)
    yield* hold(principal.workspaceId)
    return refusal
  })

  const admitKnown = Effect.fnUntraced(function* (requester: Requester) {
    const refusal: Option.Option<NoNewJob> = yield* judge(requester)
    if (Option.isSome(refusal)) yield* hold(requester.principal.workspaceId)
  })

  return { admit, admitKnown }
})
