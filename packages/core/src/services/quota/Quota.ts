/**
 * Divides a limited resource of a process, such as slots or bytes. Each partition (a workspace, a
 * key, a name) has its own limit, and all partitions share one pool, which serves them in turn. If
 * nothing is free, callers wait in order of arrival. A caller's permits are returned when its scope
 * ends, for whatever reason.
 */
import { Context, Duration, Effect, PartitionedSemaphore, Schedule, Scope } from "effect"
import {
  type DeadlineOptions,
  InHostTransaction,
  untilDeadline,
  withDeadline
} from "../../ports/Deadline.ts"

/** The maximum numbers of permits in a quota. */
export interface QuotaSize {
  /** Maximum number of permits that one partition holds at the same time. */
  readonly share: number
  /** Maximum number of permits that all partitions hold together. */
  readonly total: number
}

export interface Quota {
  /**
   * Acquires permits for a partition until the scope ends. A request for few permits does not
   * overtake one for many. A request for more than a partition's share gets the whole share.
   */
  readonly hold: (
    partition: string | object,
    permits?: number
  ) => Effect.Effect<void, never, Scope.Scope>
}

type Semaphore = PartitionedSemaphore.PartitionedSemaphore<string | object>

/** A partition's share of the permits, and the number of its users. */
interface Share {
  readonly semaphore: Semaphore
  users: number
}

const takeScoped = (semaphore: Semaphore, partition: string | object, permits: number) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.scope, (scope) =>
      Effect.andThen(
        restore(semaphore.take(partition, permits)),
        Scope.addFinalizer(scope, semaphore.release(permits))
      )
    )
  )

/** Creates a quota with all its permits free. Partitions that are not in use take no memory. */
export const make = ({ share, total }: QuotaSize): Quota => {
  const pool = PartitionedSemaphore.makeUnsafe<string | object>({ permits: total })
  const shares = new Map<string | object, Share>()

  const join = (partition: string | object) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const own = shares.get(partition) ?? {
          semaphore: PartitionedSemaphore.makeUnsafe<string | object>({ permits: share }),
          users: 0
        }
        own.users += 1
        shares.set(partition, own)
        return own
      }),
      (own) =>
        Effect.sync(() => {
          own.users -= 1
          if (own.users === 0) shares.delete(partition)
        })
    )

  return {
    // The permit of the partition is acquired first, so that a caller waiting for it does not keep
    // others from the pool.
    hold: (partition, permits = 1) =>
      join(partition).pipe(
        Effect.flatMap(({ semaphore }) =>
          takeScoped(semaphore, partition, Math.min(permits, share))
        ),
        Effect.andThen(takeScoped(pool, partition, Math.min(permits, total)))
      )
  }
}

/**
 * Releases the caller's slot while it waits for a slow sender, a remote host or the end of a job.
 * By default the caller has no slot, and both effects do nothing.
 */
export interface Idle {
  /** Releases the caller's slot before a long wait. */
  readonly begin: Effect.Effect<void>
  /** Acquires the caller's slot again after a long wait. */
  readonly end: Effect.Effect<void>
}

export const Idle: Context.Reference<Idle> = Context.Reference("@verbatim/core/services/Idle", {
  defaultValue: (): Idle => ({ begin: Effect.void, end: Effect.void })
})

/**
 * Waits without holding the caller's slot. After a failure, the slot is not acquired again, because
 * little work is left.
 */
export const waitIdle = <A, E, R>(waiting: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Idle, ({ begin, end }) =>
    Effect.andThen(
      begin,
      Effect.tap(waiting, () => end)
    )
  )

/**
 * Maximum time that a caller waits for a slot, which is shorter than the time for which servers and
 * clients keep an idle connection.
 */
const waitTimeout = Duration.seconds(20)

/**
 * A function that acquires a slot for a partition until the scope ends, and fails if no slot
 * becomes free in time.
 */
type Hold<E> = (partition: string) => Effect.Effect<void, E, Scope.Scope>

/** Creates a quota that callers wait for at most `waitTimeout`. */
export const makeWithTimeout = <E>({
  refusal,
  ...size
}: QuotaSize & { readonly refusal: () => E }): Hold<E> => {
  const { hold } = make(size)
  return (partition) =>
    waitIdle(
      Effect.timeoutOrElse(hold(partition), {
        duration: waitTimeout,
        orElse: () => Effect.fail(refusal())
      })
    )
}

/**
 * Retries of a write after a conflict with a writer in another process; writers in the same process
 * wait for each other. A hundred retries take a second, after which the call fails.
 */
export const changeRetries = {
  times: 100,
  schedule: Schedule.jittered(Schedule.spaced(Duration.millis(10)))
}

/** The failures of a caller that waited too long. */
export interface LockRefusals<E> extends Pick<DeadlineOptions<E>, "timeoutError"> {
  /** Creates the failure of a caller that never acquired the lock, and so wrote nothing. */
  readonly contended: () => E
}

/**
 * Creates named locks. Callers in a process that change the same thing do so one after the other,
 * so that their writes do not conflict: without the lock, only 18 of 64 concurrent preset changes
 * on SQLite succeeded. The wait counts towards the deadline of the caller's write.
 */
export const makeKeyedLock = <E2>({ contended, timeoutError }: LockRefusals<E2>) => {
  const { hold } = make({ share: 1, total: Number.POSITIVE_INFINITY })
  return {
    /**
     * Runs an effect after all earlier callers with the same name have finished. In a host's
     * transaction, the effect runs immediately, because the holder of the lock may be waiting for
     * that transaction's locks.
     */
    run: <A, E, R>(name: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R> =>
      Effect.flatMap(InHostTransaction, (isHosts) =>
        isHosts
          ? work
          : untilDeadline(contended)(hold(name)).pipe(
              Effect.andThen(work),
              Effect.scoped,
              withDeadline({ timeoutError })
            )
      )
  }
}
