/**
 * Makes the ids of jobs by the clock of the store. Lists by date look only at ids of about these
 * dates, and dates are the store's: the clock of a process may be hours away from it.
 */
import { Clock, DateTime, Duration, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { JobId } from "../domain/attempt/Attempt.ts"
import { withInstant } from "../domain/job/JobListing.ts"
import { JobStore } from "../ports/JobStore.ts"

/** How long a reading of the store's clock serves: monotonic time drifts by less than a second. */
const readingTime = Duration.toNanosUnsafe(Duration.minutes(5))

const nanosPerMilli = 1_000_000n

/** The time of the store, which every request asks anyway, and ids made by it. */
export const makeJobIds = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const store = yield* JobStore
  const random = yield* SecureRandom.SecureRandom
  let seen: { readonly at: bigint; readonly storeMillis: number } | undefined

  const storeNow = Effect.tap(store.now, (now) =>
    Effect.sync(() => {
      const storeMillis = DateTime.toEpochMillis(now)
      seen = { at: clock.monotonicTimeNanosUnsafe(), storeMillis }
    })
  )

  const readNow = Effect.suspend(() => {
    const age = seen === undefined ? readingTime : clock.monotonicTimeNanosUnsafe() - seen.at
    return seen === undefined || age >= readingTime
      ? storeNow
      : Effect.succeed(DateTime.makeUnsafe(seen.storeMillis + Number(age / nanosPerMilli)))
  })

  const makeId = Effect.gen(function* () {
    const now = yield* readNow
    return JobId.make(withInstant(yield* random.uuidV7(), now))
  })

  return { makeId, storeNow }
})
