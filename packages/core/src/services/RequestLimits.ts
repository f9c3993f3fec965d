/**
 * Requests in a second, of a workspace and of a key, over all processes: a bucket in the store
 * that all of them share holds as many requests as a second may have, and is filled at that rate.
 * A process takes a twentieth of a second's requests at a time, or what waits meanwhile, and
 * remembers a refusal until it may be otherwise: one owner costs no more than some forty questions
 * a second, whatever is sent. Where no limit is set, nothing is asked.
 */
import { Cause, Clock, Context, Duration, Effect, Layer, Schema, Semaphore } from "effect"
import * as RateLimiter from "effect/persistence/RateLimiter"
import type { Principal } from "../domain/workspace/ApiKey.ts"
import { LimitOwner } from "../domain/workspace/Limits.ts"
import { coreMetrics } from "../metrics/CoreMetrics.ts"
import { trace } from "../ports/Trace.ts"

/** More requests than a workspace, or a key, may send in a second. */
export class TooManyRequests extends Schema.TaggedError<TooManyRequests>()("TooManyRequests", {
  of: LimitOwner,
  retryAfter: Schema.DurationFromMillis
}) {
  override readonly message = "Too many requests in a second"
}

const second = Duration.seconds(1)
const secondMillis = Duration.toMillis(second)

/** Lots in a second's requests: what a process has taken and not used is at most one of them. */
const lotsPerSecond = 20

/** The requests that a process takes at a time. */
export const lotOf = (limit: number): number => Math.ceil(limit / lotsPerSecond)

/** How long a request waits for the store at most, before it is let in unasked. */
const askMax = Duration.millis(500)

/** What is lost when a number of requests is told as a time, in requests. */
const rounding = 1e-3

/** Owners remembered: with more of them some are asked about again at once. */
const gatesMax = 10_000

/** What a process knows about one owner. The instants are milliseconds of the monotonic clock. */
interface Gate {
  readonly turn: Semaphore.Semaphore
  /** Requests that wait for their turn, or have it. */
  waiting: number
  /** Requests that were taken from the bucket and not used, for as long as they may be. */
  left: number
  leftUntil: number
  /** Nobody need ask before. */
  closedUntil: number
  /** The store did not answer: everybody is let in until then. */
  openUntil: number
}

/** Undoes that a request was taken. */
type GiveBack = () => void

const nothingTaken: GiveBack = () => undefined

/** Gives a request back to the lot that it is from, for as long as that may be used. */
const giveBackTo = (gate: Gate): GiveBack => {
  const { leftUntil } = gate
  return () => {
    if (gate.leftUntil === leftUntil) gate.left += 1
  }
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

/** That a bucket does not hold what was asked for. */
interface Shortage {
  readonly asked: number
  readonly refusal: RateLimiter.RateLimitExceeded
}

/** When it will hold a number of requests, from now on. */
const millisTo = ({ limit }: Limited, count: number, { asked, refusal }: Shortage): number =>
  Math.max(1, Duration.toMillis(refusal.retryAfter) - ((asked - count) * secondMillis) / limit)

/** How many requests it holds. */
const availableOf = ({ limit }: Limited, { asked, refusal }: Shortage): number =>
  asked - Math.ceil((Duration.toMillis(refusal.retryAfter) * limit) / secondMillis - rounding)

/** Milliseconds that no step of a clock changes. */
const monotonicMillis = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos) / 1e6)

export class RequestLimits extends Context.Service<
  RequestLimits,
  {
    /**
     * Lets a request in, or refuses it. While the store does not answer, everybody is let in:
     * whoever can be answered without it shall be.
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
          const turn = Semaphore.makeUnsafe(1)
          const gate = { turn, waiting: 0, left: 0, leftUntil: 0, closedUntil: 0, openUntil: 0 }
          gates.set(name, gate)
          return gate
        }

        /** Told once, until the store has answered again. */
        const tell = (cause: Cause.Cause<unknown>) =>
          Effect.suspend(() => {
            if (isTold) return Effect.void
            isTold = true
            return Effect.logWarning("Requests are not counted: the store does not answer", cause)
          })

        const ask = ({ limit, name }: Limited, tokens: number) =>
          limiter
            .consume({ algorithm: "token-bucket", window: second, limit, key: name, tokens })
            .pipe(Effect.timeout(askMax), Effect.exit)

        const refuse = ({ of }: Limited, millis: number) =>
          new TooManyRequests({ of, retryAfter: Duration.millis(millis) })

        /** Takes a request of the lot, or the next lot; those who come meanwhile wait for it. */
        const take = Effect.fnUntraced(function* (limited: Limited, gate: Gate) {
          const now = yield* monotonicMillis
          if (now < gate.openUntil) return nothingTaken
          if (gate.left > 0 && now < gate.leftUntil) {
            gate.left -= 1
            return giveBackTo(gate)
          }
          if (now < gate.closedUntil) return yield* refuse(limited, gate.closedUntil - now)
          const lot = lotOf(limited.limit)
          // Whoever waits has a use for a request: a slow store is asked once for all of them.
          const many = Math.max(lot, Math.min(limited.limit, gate.waiting))
          const first = yield* ask(limited, many)
          const refusal = first._tag === "Success" ? undefined : findExcess(first.cause)
          const there =
            refusal === undefined ? many : availableOf(limited, { asked: many, refusal })
          const isLotThere = refusal !== undefined && there >= lot
          const answer = isLotThere ? yield* ask(limited, there) : first
          const answeredAt = yield* monotonicMillis
          if (refusal !== undefined) {
            const next = isLotThere ? there + lot : lot
            gate.closedUntil = answeredAt + millisTo(limited, next, { asked: many, refusal })
          }
          if (answer._tag === "Success") {
            isTold = false
            // Those who went away meanwhile leave nothing to others.
            gate.left = Math.min(there, Math.max(lot, gate.waiting)) - 1
            gate.leftUntil = answeredAt + secondMillis
            return giveBackTo(gate)
          }
          if (findExcess(answer.cause) === undefined) {
            gate.openUntil = answeredAt + secondMillis
            return yield* Effect.as(tell(answer.cause), nothingTaken)
          }
          return yield* refuse(limited, gate.closedUntil - answeredAt)
        })

        const enter = (limited: Limited) =>
          Effect.suspend(() => {
            const gate = gateOf(limited.name)
            gate.waiting += 1
            const leave = Effect.sync(() => {
              gate.waiting -= 1
            })
            return Effect.ensuring(gate.turn.withPermit(take(limited, gate)), leave)
          })

        /** Takes a request of each, or of none: a refusal by one costs the others nothing. */
        const enterAll = (all: ReadonlyArray<Limited>) =>
          Effect.suspend(() => {
            const taken: Array<GiveBack> = []
            const note = (giveBack: GiveBack) => void taken.push(giveBack)
            const giveAllBack = Effect.sync(() => {
              for (const giveBack of taken) giveBack()
            })
            return Effect.forEach(all, (each) => Effect.map(enter(each), note), {
              discard: true
            }).pipe(
              Effect.onError(() => giveAllBack),
              Effect.tapError(({ of }) =>
                coreMetrics.limitRefusals.record({ limit: "requestsPerSecond", of })
              )
            )
          })

        const enterTraced = trace("RequestLimits.admit")(enterAll)

        return RequestLimits.of({
          admit: (principal) => {
            const limited = limitedIn(principal)
            return limited.length === 0 ? Effect.void : enterTraced(limited)
          }
        })
      })
    )
}
