/**
 * Shares of something that a process has little of: places for work, or bytes. Each partition (a
 * workspace, a key, a name) has a cap of its own, and all of them draw on one pool, in which
 * partitions take turns. A caller that finds nothing free waits, in the order of arrival, and gives
 * back what it has when its scope ends, for whatever reason.
 */
import { Context, Duration, Effect, PartitionedSemaphore, Schedule, Scope } from "effect"
import {
  type DeadlineOptions,
  InHostTransaction,
  untilDeadline,
  withDeadline
} from "../../ports/Deadline.ts"

/** How much there is. */
export interface QuotaSize {
  /** Of one partition at the same time. */
  readonly share: number
  /** Of all partitions together. */
  readonly total: number
}

export interface Quota {
  /**
   * Takes permits for a partition until the scope ends. Many at once are not overtaken by few; more
   * than a share takes all of it.
   */
  readonly hold: (
    partition: string | object,
    permits?: number
  ) => Effect.Effect<void, never, Scope.Scope>
}

type Semaphore = PartitionedSemaphore.PartitionedSemaphore<string | object>

/** A share that is in use. */
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

/** A quota with nothing taken. Partitions that nobody uses take no memory. */
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
    // The share comes first: whoever waits for its own partition keeps no other from the pool.
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
 * The caller's place at work, which it gives up while it waits for a slow sender, a remote host or
 * the end of a job. By default it has none, and both do nothing.
 */
export interface Idle {
  /** Gives the place back. */
  readonly begin: Effect.Effect<void>
  /** Waits for a place again. */
  readonly end: Effect.Effect<void>
}

export const Idle: Context.Reference<Idle> = Context.Reference("@verbatim/core/services/Idle", {
  defaultValue: (): Idle => ({ begin: Effect.void, end: Effect.void })
})

/** Waits without a place at work. After a failure there is little left to do, and none is taken. */
export const waitIdle = <A, E, R>(waiting: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Idle, ({ begin, end }) =>
    Effect.andThen(
      begin,
      Effect.tap(waiting, () => end)
    )
  )

/** How long a caller waits for a place: less than servers and clients keep a silent connection. */
const patience = Duration.seconds(20)

/** Takes a place for a partition, until the scope ends, or refuses. */
export type Hold<E> = (partition: string) => Effect.Effect<void, E, Scope.Scope>

/** Places for which nobody waits longer than that. */
export const makeWithTimeout = <E>({
  refusal,
  ...size
}: QuotaSize & { readonly refusal: () => E }): Effect.Effect<Hold<E>> =>
  Effect.sync(() => {
    const { hold } = make(size)
    return (partition) =>
      waitIdle(
        Effect.timeoutOrElse(hold(partition), {
          duration: patience,
          orElse: () => Effect.fail(refusal())
        })
      )
  })

/**
 * Tries after the first, when writers in several processes get in each other's way; those of one
 * process take turns. A hundred span a second. Then the caller hears of it.
 */
export const changeRetries = {
  times: 100,
  schedule: Schedule.jittered(Schedule.spaced(Duration.millis(10)))
}

/** What a caller is refused with that waited too long. */
export interface LockRefusals<E> extends Pick<DeadlineOptions<E>, "late"> {
  /** Its turn never came: nothing was written. */
  readonly contended: () => E
}

/**
 * Turns by name: callers in one process that are about to change the same thing do so one after the
 * other, instead of finding out at the write that another was faster. The wait is a part of the
 * time that a caller has for its write.
 */
export const makeKeyedLock = <E2>({ contended, late }: LockRefusals<E2>) => {
  const { hold } = make({ share: 1, total: Number.POSITIVE_INFINITY })
  return {
    /**
     * Runs an effect when those who came earlier under that name have ended; at once in the
     * transaction of a host, whose locks the one whose turn it is may be waiting for.
     */
    take: <A, E, R>(name: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R> =>
      Effect.flatMap(InHostTransaction, (isHosts) =>
        isHosts
          ? work
          : untilDeadline(contended)(hold(name)).pipe(
              Effect.andThen(work),
              Effect.scoped,
              withDeadline({ late })
            )
      )
  }
}
