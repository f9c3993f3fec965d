/**
 * Divides a limited resource of a process, such as slots or bytes. Each partition (a workspace, a
 * key, a name) has its own cap, and all of them draw on one pool, in which partitions alternate. A
 * caller that finds nothing free waits in order of arrival, and gives back what it has when its
 * scope ends, for whatever reason.
 */
import { Context, Duration, Effect, PartitionedSemaphore, Schedule, Scope } from "effect"
import {
  type DeadlineOptions,
  InHostTransaction,
  untilDeadline,
  withDeadline
} from "../../ports/Deadline.ts"

/** The size of a quota. */
export interface QuotaSize {
  /** Maximum for one partition at the same time. */
  readonly share: number
  /** Maximum for all partitions together. */
  readonly total: number
}

export interface Quota {
  /**
   * Takes permits for a partition until the scope ends. Requests for many permits are not overtaken
   * by requests for few; a request for more than a share takes the whole share.
   */
  readonly hold: (
    partition: string | object,
    permits?: number
  ) => Effect.Effect<void, never, Scope.Scope>
}

type Semaphore = PartitionedSemaphore.PartitionedSemaphore<string | object>

/** The share of a partition that is in use. */
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

/** Makes a quota with nothing taken. Unused partitions take no memory. */
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
    // The share is taken first: a caller that waits for its own partition does not block others
    // from the pool.
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
 * The caller's slot, which it gives up while it waits for a slow sender, a remote host or the end
 * of a job. By default it has none, and both effects do nothing.
 */
export interface Idle {
  /** Gives the slot back. */
  readonly begin: Effect.Effect<void>
  /** Waits for a slot again. */
  readonly end: Effect.Effect<void>
}

export const Idle: Context.Reference<Idle> = Context.Reference("@verbatim/core/services/Idle", {
  defaultValue: (): Idle => ({ begin: Effect.void, end: Effect.void })
})

/**
 * Waits without holding the caller's slot. After a failure little work is left, so no slot is taken
 * again.
 */
export const waitIdle = <A, E, R>(waiting: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Idle, ({ begin, end }) =>
    Effect.andThen(
      begin,
      Effect.tap(waiting, () => end)
    )
  )

/** Maximum wait of a caller for a slot: less than servers and clients keep a silent connection. */
const waitTimeout = Duration.seconds(20)

/** Takes a slot for a partition until the scope ends, or fails. */
export type Hold<E> = (partition: string) => Effect.Effect<void, E, Scope.Scope>

/** Makes a quota whose callers wait for at most `waitTimeout`. */
export const makeWithTimeout = <E>({
  refusal,
  ...size
}: QuotaSize & { readonly refusal: () => E }): Effect.Effect<Hold<E>> =>
  Effect.sync(() => {
    const { hold } = make(size)
    return (partition) =>
      waitIdle(
        Effect.timeoutOrElse(hold(partition), {
          duration: waitTimeout,
          orElse: () => Effect.fail(refusal())
        })
      )
  })

/**
 * Retries when writers in several processes conflict; those of one process wait for each other. A
 * hundred retries take a second, then the call fails.
 */
export const changeRetries = {
  times: 100,
  schedule: Schedule.jittered(Schedule.spaced(Duration.millis(10)))
}

/** The failures of a caller that waited too long. */
export interface LockRefusals<E> extends Pick<DeadlineOptions<E>, "timeoutError"> {
  /** It never got the lock: nothing was written. */
  readonly contended: () => E
}

/**
 * Makes locks by name: callers in one process that change the same thing do so one after the other,
 * instead of finding out at the write that another was faster. The wait is part of the deadline of
 * a caller's write.
 */
export const makeKeyedLock = <E2>({ contended, timeoutError }: LockRefusals<E2>) => {
  const { hold } = make({ share: 1, total: Number.POSITIVE_INFINITY })
  return {
    /**
     * Runs an effect after all earlier callers under that name have finished; at once in the
     * transaction of a host, because the holder of the lock may be waiting for that transaction's
     * locks.
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
