/**
 * Effect's clock and scheduler for one actor, on the timeline. Wall clocks differ between processes
 * and can jump. A monotonic clock only advances, from an origin of its own.
 */

import { type Clock, Duration, Effect, type Scheduler } from "effect"
import type { Dice } from "./Seed.ts"
import type { Actor, Timeline } from "./Timeline.ts"

/** The start of each run, an arbitrary time shortly before the end of a year and a leap day. */
const epochMillis = Date.UTC(2023, 10, 14, 22, 13, 20)

/** The errors in a process's clocks and timers. */
export interface Skew {
  /** Milliseconds added to the wall clock, which can change while the process runs. */
  wallMillis: number
  /** Origin of the monotonic clock, in milliseconds. */
  readonly originMillis: number
  /** Returns by how many milliseconds a timer with this duration is late. */
  readonly lateness: (millis: number) => number
}

/** No skew: a correct clock with punctual timers. */
export const exact = (): Skew => ({ wallMillis: 0, originMillis: 0, lateness: () => 0 })

const nanosPerMilli = 1_000_000n

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
        // An infinite sleep needs no timer, because only an interruption ends it.
        if (!Number.isFinite(millis)) return
        const late = millis + skew.lateness(millis)
        const cancel = timeline.after(owner, late, () => resume(Effect.void))
        return Effect.sync(cancel)
      })
  }
}

/**
 * Maximum number of operations that a fiber runs before it yields; Effect's own default is 2048.
 */
const operationMax = 512

export const makeScheduler = (
  timeline: Timeline,
  owner: Actor,
  chance: Dice
): Scheduler.Scheduler => {
  const dispatcher: Scheduler.SchedulerDispatcher = {
    scheduleTask: (task) => timeline.enqueue(owner, task),
    // No task waits for a tick, so there is nothing to flush.
    flush: () => {}
  }
  // Each lifetime draws its own limit: fibers yield often in some processes and rarely in others.
  const turnMax = 8 + chance.below(operationMax)
  return {
    executionMode: "async",
    shouldYield: (fiber) => fiber.currentOpCount >= turnMax,
    makeDispatcher: () => dispatcher
  }
}
