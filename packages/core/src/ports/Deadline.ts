/**
 * Each write has one deadline, which is set when its caller arrives. Queues, locks and retries can
 * use only the time that remains. Code that runs inside another write keeps that write's deadline.
 * A write with an id counts once, however often it arrives: if the response is lost, the write is
 * retried until its deadline, and the store reports the outcome of the first try.
 */
import { Clock, Context, Duration, Effect, Schedule } from "effect"

/**
 * Whether the running effect writes in a transaction that the host began and will end. Other
 * writers may wait for the transaction's locks until it ends, so the effect must not wait for other
 * writers. The data that the effect reads must stay private until the commit. The code that runs an
 * effect in the host's transaction sets this reference.
 */
export const InHostTransaction: Context.Reference<boolean> = Context.Reference(
  "@verbatim/core/ports/InHostTransaction",
  { defaultValue: () => false }
)

/** Maximum time that a caller waits for a write. */
export const writeTimeout: Duration.Duration = Duration.seconds(5)

/**
 * Time that is reserved for the response: locks and queues give up this long before the deadline.
 */
const travelTime = Duration.millis(100)

/** The deadline, in nanoseconds on the monotonic clock, if there is one. */
export const Deadline: Context.Reference<bigint | undefined> = Context.Reference(
  "@verbatim/core/ports/Deadline",
  { defaultValue: (): bigint | undefined => undefined }
)

/** Options for `withDeadline`. */
export interface DeadlineOptions<E> {
  /** Time from now to the deadline. Default: `writeTimeout`. */
  readonly duration?: Duration.Duration
  /** Creates the failure that is reported at the deadline. The write may still have happened. */
  readonly timeoutError: () => E
}

/**
 * Sets a deadline if there is none. This function runs for every commit of a job, and took twice as
 * long with `Effect.gen`.
 */
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
 * Sets a deadline for a write, unless the write already has one. In a host's transaction, a write
 * gets no deadline, because the limits of the host's session apply.
 */
export const withDeadline =
  <E2>({ duration = writeTimeout, timeoutError }: DeadlineOptions<E2>) =>
  <A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R> =>
    begin<A, E | E2, R>(write, {
      duration,
      around: Effect.timeoutOrElse(write, { duration, orElse: () => Effect.fail(timeoutError()) })
    })

/** Sets a deadline only for queues and locks, because a running statement has its own limit. */
export const withLockDeadline =
  (duration: Duration.Duration) =>
  <A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    begin(write, { duration, around: write })

/** The remaining time to wait for a lock or in a queue; infinite if there is no deadline. */
export const remainingWait: Effect.Effect<Duration.Duration> = Effect.gen(function* () {
  const deadline = yield* Deadline
  if (deadline === undefined) return Duration.infinity
  const remaining = Duration.nanos(deadline - (yield* Clock.monotonicTimeNanos))
  return Duration.max(Duration.zero, Duration.subtract(remaining, travelTime))
})

/** Limits a wait in a queue: it ends shortly before the deadline. */
export const untilDeadline =
  <E2>(orElse: () => E2) =>
  <A, E, R>(wait: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R> =>
    Effect.flatMap(remainingWait, (duration) =>
      Duration.isFinite(duration)
        ? Effect.timeoutOrElse(wait, { duration, orElse: () => Effect.fail(orElse()) })
        : wait
    )

/**
 * Maximum number of retries of a write. A caller is waiting, so the delays of all retries add up to
 * only 0.7 s.
 */
const repeatMax = 3

/** The reason for a write's failure at its deadline. */
export const overdue = "the store did not answer in time"

const repeatDelays = Schedule.exponential(Duration.millis(100))

/** Decides what the failures of a write mean. */
export interface WriteFailures<E> extends Pick<DeadlineOptions<E>, "timeoutError"> {
  /** Whether a failed write may still have happened. */
  readonly isOutcomeUnknown: (error: E) => boolean
  /** Whether a failure says nothing about the outcomes of earlier tries. */
  readonly isInconclusive: (error: E) => boolean
}

/**
 * Creates a function that retries a write until its outcome is known or its deadline is reached.
 * The write must have an id, so that retries count only once.
 */
export const makeRetryUnknownOutcome =
  <E>({ isOutcomeUnknown, isInconclusive, timeoutError }: WriteFailures<E>) =>
  <A, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      let lost: E | undefined
      return write.pipe(
        Effect.mapError((error) => {
          if (isOutcomeUnknown(error)) lost = error
          return lost !== undefined && isInconclusive(error) ? lost : error
        }),
        Effect.retry({ while: isOutcomeUnknown, times: repeatMax, schedule: repeatDelays })
      )
    }).pipe(withDeadline({ timeoutError }))
