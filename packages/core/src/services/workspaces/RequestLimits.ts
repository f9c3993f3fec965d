/**
 * Limits the requests per second of a workspace or a key, across all processes. A token bucket in
 * the shared store holds the number of requests allowed per second, and is refilled at that rate. A
 * process remembers a refusal until a request could be admitted again, and makes only a few queries
 * at a time for one owner. Without limits, the store is not queried.
 */

import { Cause, Clock, Context, Duration, Effect, Layer, Schema, Semaphore } from "effect"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { refusal } from "../../domain/schema/Refusal.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { LimitOwner } from "../../domain/workspace/Limits.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import { trace } from "../../ports/Trace.ts"

/** The workspace or the key has sent too many requests in a second. */
export class TooManyRequests extends refusal<TooManyRequests>()("TooManyRequests", {
  fields: {
    of: LimitOwner,
    retryAfter: Schema.DurationFromMillis
  },
  sentence: "Too many requests in a second"
}) {}

const second = Duration.seconds(1)
const secondMillis = Duration.toMillis(second)

/**
 * Maximum number of concurrent queries for one workspace or key. A request that waits for them may
 * find a remembered refusal.
 */
const queriesMax = 4

/** Maximum time that a request waits for the store before it is admitted without a check. */
const queryTimeout = Duration.millis(500)

/**
 * Number of workspaces and keys to remember. If there are more, the limits of some are queried
 * again sooner.
 */
const ownersMax = 10_000

/** The state of a workspace or a key in this process. Timestamps are monotonic milliseconds. */
interface OwnerState {
  readonly permits: Semaphore.Semaphore
  /** All requests are refused until this time. */
  refusedUntil: number
  /** All requests are admitted until this time, because the store did not respond. */
  admittedUntil: number
}

/** A workspace or a key with its limit on requests per second. */
interface Limited {
  readonly of: LimitOwner
  readonly name: string
  readonly limit: number
}

const unlimited: ReadonlyArray<Limited> = []

const limitedIn = (principal: Principal): ReadonlyArray<Limited> => {
  const { keyId, limits, workspaceId, workspaceLimits } = principal
  const ofWorkspace = workspaceLimits?.requestsPerSecond ?? null
  const ofKey = limits?.requestsPerSecond ?? null
  if (ofKey === null && ofWorkspace === null) return unlimited
  return [
    ...(ofKey === null || keyId === undefined
      ? []
      : [{ of: "key" as const, name: `key:${keyId}`, limit: ofKey }]),
    ...(ofWorkspace === null
      ? []
      : [{ of: "workspace" as const, name: `workspace:${workspaceId}`, limit: ofWorkspace }])
  ]
}

/** Returns the limiter's refusal; undefined if the store failed instead. */
const findExcess = (cause: Cause.Cause<RateLimiter.RateLimiterError | Cause.TimeoutError>) => {
  const error = Cause.squash(cause)
  return error instanceof RateLimiter.RateLimiterError && error.reason._tag === "RateLimitExceeded"
    ? error.reason
    : undefined
}

/** Monotonic milliseconds, which do not jump when the wall clock is set. */
const monotonicMillis = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos) / 1e6)

/** Creates a function that returns the state of a workspace or a key. */
const makeOwners = () => {
  const owners = new Map<string, OwnerState>()
  return (name: string): OwnerState => {
    const known = owners.get(name)
    if (known !== undefined) return known
    if (owners.size >= ownersMax) owners.clear()
    const owner = {
      permits: Semaphore.makeUnsafe(queriesMax),
      refusedUntil: 0,
      admittedUntil: 0
    }
    owners.set(name, owner)
    return owner
  }
}

/** Refuses a request without a query while an earlier refusal still applies. */
const judge = ({ of }: Limited, { refusedUntil }: OwnerState) =>
  Effect.flatMap(monotonicMillis, (now) =>
    now < refusedUntil
      ? new TooManyRequests({ of, retryAfter: Duration.millis(refusedUntil - now) })
      : Effect.succeed(now)
  )

const makeRequestLimits = Effect.gen(function* () {
  const limiter = yield* RateLimiter.make
  const ownerOf = makeOwners()
  let isLogged = false

  /** Logs an outage of the store only once until the store responds again. */
  const logOutage = (cause: Cause.Cause<unknown>) =>
    Effect.suspend(() => {
      if (isLogged) return Effect.void
      isLogged = true
      return Effect.logWarning("Requests are not limited: the store does not answer", cause)
    })

  const take = Effect.fnUntraced(function* (limited: Limited, owner: OwnerState) {
    const { limit, name, of } = limited
    if ((yield* judge(limited, owner)) < owner.admittedUntil) return
    const answer = yield* limiter
      .consume({ algorithm: "token-bucket", window: second, limit, key: name })
      .pipe(Effect.timeout(queryTimeout), Effect.exit)
    if (answer._tag === "Success") {
      isLogged = false
      return
    }
    const answeredAt = yield* monotonicMillis
    const excess = findExcess(answer.cause)
    if (excess === undefined) {
      owner.admittedUntil = answeredAt + secondMillis
      return yield* logOutage(answer.cause)
    }
    const { retryAfter } = excess
    owner.refusedUntil = answeredAt + Math.max(1, Duration.toMillis(retryAfter))
    return yield* new TooManyRequests({ of, retryAfter })
  })

  const enter = (limited: Limited) =>
    Effect.suspend(() => {
      const owner = ownerOf(limited.name)
      return owner.permits.withPermit(take(limited, owner))
    })

  const enterAll = trace("RequestLimits.admit")((all: ReadonlyArray<Limited>) =>
    Effect.forEach(all, (each) => judge(each, ownerOf(each.name)), { discard: true }).pipe(
      Effect.andThen(Effect.forEach(all, enter, { discard: true })),
      Effect.tapError(({ of }) =>
        coreMetrics.limitRefusals.record({ limit: "requestsPerSecond", of })
      )
    )
  )

  return {
    /**
     * Admits or refuses a request. While the store does not respond, all requests are admitted. A
     * request that exceeds its workspace's limit may still count towards its key's limit for this
     * second.
     */
    admit: (principal: Principal): Effect.Effect<void, TooManyRequests> => {
      const limited = limitedIn(principal)
      return limited.length === 0 ? Effect.void : enterAll(limited)
    }
  }
})

export class RequestLimits extends Context.Service<
  RequestLimits,
  Effect.Success<typeof makeRequestLimits>
>()("@verbatim/core/services/RequestLimits") {
  static readonly layer: Layer.Layer<RequestLimits, never, RateLimiter.RateLimiterStore> =
    Layer.effect(RequestLimits, makeRequestLimits)
}
