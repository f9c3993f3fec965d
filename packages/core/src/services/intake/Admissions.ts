/**
 * Decides, before a request is read, whether it is accepted. A request becomes a new job if the
 * balance and the limits allow one. A request that cannot become a job is read only to find out
 * whether it is a repeat, because a repeat costs nothing more. The request is not stored, and only
 * a few such requests per workspace are read at a time, so that callers without an allowance for a
 * new job neither fill the disk nor delay others.
 */

import { Effect, Option } from "effect"
import { refusal } from "../../domain/schema/Refusal.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { isSufficient } from "../../domain/workspace/Usage.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import type { Account } from "../../ports/WorkspaceStore.ts"
import * as Quota from "../quota/Quota.ts"
import { type LimitReached, makeJudgeLimits, refuseReached } from "./JobLimits.ts"
import { makeRepeats } from "./Repeats.ts"

/** Maximum number of one workspace's files that are read concurrently to recognise repeats. */
const share = 2

/** Maximum number of these files in all workspaces. Digesting a file takes 1 MiB of memory. */
const total = 64

/** The workspace has a balance of 60 minutes or less. */
export class InsufficientBalance extends refusal<InsufficientBalance>()("InsufficientBalance", {
  sentence: "The workspace has 60 minutes left, or less"
}) {}

/** The maximum number of files is already being read to recognise repeats. */
export class TooManyRepeats extends refusal<TooManyRepeats>()("TooManyRepeats", {
  sentence: "Too many possible repeats are read at the same time"
}) {}

/** Why a caller is not allowed a new job. */
export type NoNewJob = InsufficientBalance | LimitReached

/** The caller of a request, with its workspace and balance. */
interface Requester extends Pick<Account, "balanceMillis" | "workspace"> {
  readonly principal: Principal
}

/** A request whose idempotency key, if any, was not used before. */
interface NewRequest extends Requester {
  /** Whether the request joins an existing job of an identical request. */
  readonly isJoining: boolean
}

/** Counts a refusal and fails with it. */
export const refuse = (refusal: NoNewJob): Effect.Effect<never, NoNewJob> =>
  refusal._tag === "LimitReached" ? refuseReached(refusal) : refuseUnpaid

/** Refuses a request because of the balance, and counts the refusal. */
export const refuseUnpaid: Effect.Effect<never, InsufficientBalance> = Effect.andThen(
  coreMetrics.balanceRefusals.record({}),
  Effect.fail(new InsufficientBalance())
)

/** Makes the functions that decide which requests are accepted. */
export const makeAdmissions = Effect.gen(function* () {
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

  /**
   * Accepts or refuses a request. If the result is a refusal, the request can be read while the
   * scope is open, and is then refused unless it is a repeat.
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
   * Accepts a request with a known key; such a request needs no new job. If the caller is not
   * allowed a new job, only a few such requests are read at the same time. The request is counted
   * for as long as the scope is open.
   */
  const admitKnown = Effect.fnUntraced(function* (requester: Requester) {
    const refusal: Option.Option<NoNewJob> = yield* judge(requester)
    if (Option.isSome(refusal)) yield* hold(requester.principal.workspaceId)
  })

  return { admit, admitKnown }
})
