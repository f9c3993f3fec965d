/**
 * One deadline for each write, set when its caller arrives: queues, locks and repeats in its way
 * get only what is left of it. Whatever runs inside of another write keeps the deadline of that. A
 * write with an id of its own counts once, however often it arrives: when its answer is lost, it is
 * written again until its deadline, and the store then says what became of the first one.
 */
import { Clock, Context, Duration, Effect, Schedule } from "effect"

/**
 * Whether what runs writes in a transaction that the host has begun and will end. Others may wait
 * for its locks until then, so nothing in it may wait for others; and what it sees is nobody else's
 * to know before the commit. Set by whatever lets an effect into such a transaction.
 */
export const InHostTransaction: Context.Reference<boolean> = Context.Reference(
  "@verbatim/core/ports/InHostTransaction",
  { defaultValue: () => false }
)

/** How long a caller waits for a write. */
export const writeTimeout: Duration.Duration = Duration.seconds(5)

/** Left for the answer to travel: locks and queues refuse this much earlier. */
const travelTime = Duration.millis(100)

/** The deadline in nanoseconds of the monotonic clock, if one is set. */
export const Deadline: Context.Reference<bigint | undefined> = Context.Reference(
  "@verbatim/core/ports/Deadline",
  { defaultValue: (): bigint | undefined => undefined }
)

/** How a write gets its deadline. */
export interface DeadlineOptions<E> {
  /** From now. Default: `writeTimeout`. */
  readonly duration?: Duration.Duration
  /** The failure at the deadline. The write may have happened. */
  readonly late: () => E
}

/** Every commit of a job begins here: written with `Effect.gen` it took twice the time. */
const begin = <A, E, R>(
  write: Effect.Effect<A, E, R>,
  { around, duration }: { readonly around: typeof write; readonly duration: Duration.Duration }
): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    if (fiber.getRef(Deadline) !== undefined || fiber.getRef(InHostTransaction)) return write
    const now = fiber.getRef(Clock.Clock).monotonicTimeNanosUnsafe()
    return Effect.provideService(around, Deadline, now + Duration.toNanosUnsafe(duration))
  })

/**
 * Gives a write a deadline from now, unless it has one. In a transaction of a host it has none:
 * there the limits of the host's session hold.
 */
export const withDeadline =
  <E2>({ duration = writeTimeout, late }: DeadlineOptions<E2>) =>
  <A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R> =>
    begin<A, E | E2, R>(write, {
      duration,
      around: Effect.timeoutOrElse(write, { duration, orElse: () => Effect.fail(late()) })
    })

/** The same for queues and locks alone: a statement that is under way has a limit of its own. */
export const withLockDeadline =
  (duration: Duration.Duration) =>
  <A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    begin(write, { duration, around: write })

/** How long a lock or a place in a queue may be waited for: without a deadline, for ever. */
export const remainingWait: Effect.Effect<Duration.Duration> = Effect.gen(function* () {
  const deadline = yield* Deadline
  if (deadline === undefined) return Duration.infinity
  const left = Duration.nanos(deadline - (yield* Clock.monotonicTimeNanos))
  return Duration.max(Duration.zero, Duration.subtract(left, travelTime))
})

/** Waits for a place in a queue until the deadline comes near. */
export const untilDeadline =
  <E2>(orElse: () => E2) =>
  <A, E, R>(wait: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R> =>
    Effect.flatMap(remainingWait, (duration) =>
      Duration.isFinite(duration)
        ? Effect.timeoutOrElse(wait, { duration, orElse: () => Effect.fail(orElse()) })
        : wait
    )

/** Repeats after the first write. With the delays below they span 0.7 s: a caller waits. */
const repeatMax = 3

/** The cause of a failure at the deadline of a write. */
export const overdue = "the store did not answer in time"

const repeatDelays = Schedule.exponential(Duration.millis(100))

/** What the failures of a write mean. */
export interface WriteFailures<E> extends Pick<DeadlineOptions<E>, "late"> {
  /** Whether the write may have happened although it failed. */
  readonly isLost: (error: E) => boolean
  /** Whether a failure concerns this try alone, and leaves open what became of an earlier one. */
  readonly isSilent: (error: E) => boolean
}

/** Repeats a write while its answer is lost, until its deadline. Its id must make it count once. */
export const makeRetryUnknownOutcome =
  <E>({ isLost, isSilent, late }: WriteFailures<E>) =>
  <A, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      let lost: E | undefined
      return write.pipe(
        Effect.mapError((error) => {
          if (isLost(error)) lost = error
          return lost !== undefined && isSilent(error) ? lost : error
        }),
        Effect.retry({ while: isLost, times: repeatMax, schedule: repeatDelays })
      )
    }).pipe(withDeadline({ late }))
