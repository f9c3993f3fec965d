/**
 * Requests in a second, of a workspace and of a key, over all processes: a bucket in the store that
 * all of them share holds as many requests as a second may have, and is filled at that rate. A
 * process remembers a refusal until it may be otherwise, and asks a few questions at a time about
 * one owner. Where no limit is set, nothing is asked.
 */

import { Cause, Clock, Context, Duration, Effect, Layer, Schema, Semaphore } from "effect"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { refusal } from "../../domain/schema/Refusal.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { LimitOwner } from "../../domain/workspace/Limits.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import { trace } from "../../ports/Trace.ts"

/** More requests than a workspace, or a key, may send in a second. */
export class TooManyRequests extends refusal<TooManyRequests>()("TooManyRequests", {
  fields: {
    of: LimitOwner,
    retryAfter: Schema.DurationFromMillis
  },
  sentence: "Too many requests in a second"
}) {}

const second = Duration.seconds(1)
const secondMillis = Duration.toMillis(second)

/** Questions about one owner at a time: those behind them may find a refusal remembered. */
const askedMax = 4

/** How long a request waits for the store at most, before it is let in unasked. */
const askMax = Duration.millis(500)

/** Owners remembered: with more of them some are asked about again at once. */
const gatesMax = 10_000

/** What a process knows about one owner. The instants are milliseconds of the monotonic clock. */
interface Gate {
  readonly turn: Semaphore.Semaphore
  /** Everybody is refused until then. */
  closedUntil: number
  /** The store did not answer: everybody is let in until then. */
  openUntil: number
}

/** Somebody with a limit. */
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

/** Whether it was the limit that refused; otherwise the store failed. */
const findExcess = (cause: Cause.Cause<RateLimiter.RateLimiterError | Cause.TimeoutError>) => {
  const error = Cause.squash(cause)
  return error instanceof RateLimiter.RateLimiterError && error.reason._tag === "RateLimitExceeded"
    ? error.reason
    : undefined
}

/** Milliseconds that no step of a clock changes. */
const monotonicMillis = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos) / 1e6)

export class RequestLimits extends Context.Service<
  RequestLimits,
  {
    /**
     * Lets a request in, or refuses it. While the store does not answer, everybody is let in. A
     * request that its workspace refuses may have cost its key one of the second's requests.
     */
    readonly admit: (principal: Principal) => Effect.Effect<void, TooManyRequests>
  }
>()("@verbatim/core/services/RequestLimits") {
  static readonly layer: Layer.Layer<RequestLimits, never, RateLimiter.RateLimiterStore> =
    Layer.effect(
      RequestLimits,
      Effect.gen(function* () {
        const limiter = yield* RateLimiter.make
        const gates = new Map<string, Gate>()
        let isTold = false

        const gateOf = (name: string): Gate => {
          const known = gates.get(name)
          if (known !== undefined) return known
          if (gates.size >= gatesMax) gates.clear()
          const gate = { turn: Semaphore.makeUnsafe(askedMax), closedUntil: 0, openUntil: 0 }
          gates.set(name, gate)
          return gate
        }

        /** Logged once, until the store has answered again. */
        const logOutage = (cause: Cause.Cause<unknown>) =>
          Effect.suspend(() => {
            if (isTold) return Effect.void
            isTold = true
            return Effect.logWarning("Requests are not counted: the store does not answer", cause)
          })

        /** Refuses by what is remembered. */
        const judge = ({ of }: Limited, { closedUntil }: Gate) =>
          Effect.flatMap(monotonicMillis, (now) =>
            now < closedUntil
              ? new TooManyRequests({ of, retryAfter: Duration.millis(closedUntil - now) })
              : Effect.succeed(now)
          )

        const take = Effect.fnUntraced(function* (limited: Limited, gate: Gate) {
          const { limit, name, of } = limited
          if ((yield* judge(limited, gate)) < gate.openUntil) return
          const answer = yield* limiter
            .consume({ algorithm: "token-bucket", window: second, limit, key: name })
            .pipe(Effect.timeout(askMax), Effect.exit)
          if (answer._tag === "Success") {
            isTold = false
            return
          }
          const answeredAt = yield* monotonicMillis
          const excess = findExcess(answer.cause)
          if (excess === undefined) {
            gate.openUntil = answeredAt + secondMillis
            return yield* logOutage(answer.cause)
          }
          const { retryAfter } = excess
          gate.closedUntil = answeredAt + Math.max(1, Duration.toMillis(retryAfter))
          return yield* new TooManyRequests({ of, retryAfter })
        })

        const enter = (limited: Limited) =>
          Effect.suspend(() => {
            const gate = gateOf(limited.name)
            return gate.turn.withPermit(take(limited, gate))
          })

        const enterAll = trace("RequestLimits.admit")((all: ReadonlyArray<Limited>) =>
          Effect.forEach(all, (each) => judge(each, gateOf(each.name)), { discard: true }).pipe(
            Effect.andThen(Effect.forEach(all, enter, { discard: true })),
            Effect.tapError(({ of }) =>
              coreMetrics.limitRefusals.record({ limit: "requestsPerSecond", of })
            )
          )
        )

        return RequestLimits.of({
          admit: (principal) => {
            const limited = limitedIn(principal)
            return limited.length === 0 ? Effect.void : enterAll(limited)
          }
        })
      })
    )
}
