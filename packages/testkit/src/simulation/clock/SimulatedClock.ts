/**
 * * Effect's clock and scheduler for one actor, over the timeline. The wall clocks of processes
 * differ and jump; the monotonic ones only count, each from its own beginning.
 */

import { type Clock, Duration, Effect, type Scheduler } from "effect"
import type { Dice } from "./Seed.ts"
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

/** The most operations that a fiber does in one turn; Effect's own default is 2048. */
const operationMax = 512

/** The scheduler of an actor. */
export const makeScheduler = (
  timeline: Timeline,
  owner: Actor,
  chance: Dice
): Scheduler.Scheduler => {
  const dispatcher: Scheduler.SchedulerDispatcher = {
    scheduleTask: (task) => timeline.enqueue(owner, task),
    // Nothing waits for a tick, so there is nothing to flush.
    flush: () => {}
  }
  // Drawn once for each life: short turns for one process, long ones for another.
  const turnMax = 8 + chance.below(operationMax)
  return {
    executionMode: "async",
    shouldYield: (fiber) => fiber.currentOpCount >= turnMax,
    makeDispatcher: () => dispatcher
  }
}
