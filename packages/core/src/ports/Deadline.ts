/**
 * One deadline for each write, set when its caller arrives: queues, locks and repeats in its way
 * get only what is left of it. Whatever runs inside of another write keeps the deadline of that.
 */
import { Clock, Context, Duration, Effect } from "effect"
import { HostsTransaction } from "./HostsTransaction.ts"

/** How long a caller waits for a write. */
export const writeMax: Duration.Duration = Duration.seconds(5)

/** Left for the answer to travel: locks and queues refuse this much earlier. */
const travelTime = Duration.millis(100)

/** The deadline in nanoseconds of the monotonic clock, if one is set. */
export const Deadline: Context.Reference<bigint | undefined> = Context.Reference(
  "@verbatim/core/ports/Deadline",
  { defaultValue: (): bigint | undefined => undefined }
)

/** How a write gets its deadline. */
export interface DeadlineOptions<E> {
  /** From now. Default: `writeMax`. */
  readonly duration?: Duration.Duration
  /** The failure at the deadline. The write may have happened. */
  readonly late: () => E
}

const begin = <A, E, R>(
  write: Effect.Effect<A, E, R>,
  { around, duration }: { readonly around: typeof write; readonly duration: Duration.Duration }
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    if ((yield* Deadline) !== undefined || (yield* HostsTransaction)) return yield* write
    const deadline = (yield* Clock.monotonicTimeNanos) + Duration.toNanosUnsafe(duration)
    return yield* Effect.provideService(around, Deadline, deadline)
  })

/**
 * Gives a write a deadline from now, unless it has one. In a transaction of a host it has none:
 * there the limits of the host's session hold.
 */
export const withDeadline =
  <E2>({ duration = writeMax, late }: DeadlineOptions<E2>) =>
  <A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R> =>
    begin<A, E | E2, R>(write, {
      duration,
      around: Effect.timeoutOrElse(write, { duration, orElse: () => Effect.fail(late()) })
    })

/** The same for queues and locks alone: a statement that is under way has a limit of its own. */
export const withWaits =
  (duration: Duration.Duration) =>
  <A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    begin(write, { duration, around: write })

/** How long a lock or a place in a queue may be waited for: without a deadline, for ever. */
export const waitLeft: Effect.Effect<Duration.Duration> = Effect.gen(function* () {
  const deadline = yield* Deadline
  if (deadline === undefined) return Duration.infinity
  const left = Duration.nanos(deadline - (yield* Clock.monotonicTimeNanos))
  return Duration.max(Duration.zero, Duration.subtract(left, travelTime))
})

/** Waits for a place in a queue until the deadline comes near. */
export const untilDeadline =
  <E2>(orElse: () => E2) =>
  <A, E, R>(wait: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R> =>
    Effect.flatMap(waitLeft, (duration) =>
      Duration.isFinite(duration)
        ? Effect.timeoutOrElse(wait, { duration, orElse: () => Effect.fail(orElse()) })
        : wait
    )
