/**
 * Effect's clock for one actor, over the timeline. The wall clocks of processes differ and jump;
 * the monotonic ones only count, each from its own beginning.
 */
import { type Clock, Duration, Effect } from "effect"
import type { Actor, Timeline } from "./Timeline.ts"

/** When each run begins: an instant like any other, with a leap day and a year's end to come. */
const epochMillis = Date.UTC(2023, 10, 14, 22, 13, 20)

/** How far a process is off. */
export interface Skew {
  /** Added to the wall clock, in milliseconds; may change while the process runs. */
  wallMillis: number
  /** Where the monotonic clock begins, in milliseconds. */
  readonly originMillis: number
  /** By how much a timer of this many milliseconds is late. */
  readonly lateness: (millis: number) => number
}

/** A clock that is right, and always in time. */
export const exact = (): Skew => ({ wallMillis: 0, originMillis: 0, lateness: () => 0 })

const nanosPerMilli = 1_000_000n

/** The clock of an actor. */
export const make = (timeline: Timeline, owner: Actor, skew: Skew): Clock.Clock => {
  const wall = () => epochMillis + timeline.now() + skew.wallMillis
  const wallNanos = () => BigInt(wall()) * nanosPerMilli
  const monotonic = () => BigInt(skew.originMillis + timeline.now()) * nanosPerMilli
  return {
    currentTimeMillisUnsafe: wall,
    currentTimeMillis: Effect.sync(wall),
    currentTimeNanosUnsafe: wallNanos,
    currentTimeNanos: Effect.sync(wallNanos),
    monotonicTimeNanosUnsafe: monotonic,
    monotonicTimeNanos: Effect.sync(monotonic),
    sleep: (duration) =>
      Effect.callback((resume) => {
        const millis = Duration.toMillis(duration)
        // A sleep without end needs no timer: such a sleeper is woken in another way.
        if (!Number.isFinite(millis)) return
        const late = millis + skew.lateness(millis)
        const cancel = timeline.after(owner, late, () => resume(Effect.void))
        return Effect.sync(cancel)
      })
  }
}
