/**
 * Turns by name: callers in one process who are about to change the same thing do so one after the
 * other, in the order of asking, instead of finding out at the write that somebody was faster.
 * Waiting for a turn is a part of the time that a caller has for its write.
 */
import { Duration, Effect, RcMap, Schedule, Semaphore } from "effect"
import { type DeadlineOptions, untilDeadline, withDeadline } from "../ports/Deadline.ts"
import { HostsTransaction } from "../ports/HostsTransaction.ts"

/**
 * Tries after the first, when writers in several processes get in each other's way; those of one
 * process take turns. A hundred span a second. Then the caller hears of it.
 */
export const changeRetries = {
  times: 100,
  schedule: Schedule.jittered(Schedule.spaced(Duration.millis(10)))
}

/** What a caller is refused with who waited too long. */
export interface TurnRefusals<E> extends Pick<DeadlineOptions<E>, "late"> {
  /** Its turn never came: nothing was written. */
  readonly contended: () => E
}

/** Makes turns that are forgotten when nobody waits for them. */
export const makeTurns = Effect.fnUntraced(function* <E2>({ contended, late }: TurnRefusals<E2>) {
  const semaphores = yield* RcMap.make({ lookup: (_: string) => Semaphore.make(1) })
  return {
    /**
     * Runs an effect when those who asked earlier under that name have ended; at once in the
     * transaction of a host, whose locks the one whose turn it is may be waiting for.
     */
    take: <A, E, R>(name: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R> =>
      Effect.flatMap(HostsTransaction, (isHosts) =>
        isHosts
          ? work
          : RcMap.get(semaphores, name).pipe(
              Effect.flatMap((semaphore) => untilDeadline(contended)(semaphore.takeScoped(1))),
              Effect.andThen(work),
              Effect.scoped,
              withDeadline({ late })
            )
      )
  }
})
