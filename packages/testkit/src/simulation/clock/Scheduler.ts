/**
 * Effect's scheduler for one actor: its fibers take their turns on the timeline, and give way after
 * as many operations as the seed says.
 */
import type { Scheduler } from "effect"
import type { Dice } from "./Seed.ts"
import type { Actor, Timeline } from "./Timeline.ts"

/** The most operations that a fiber does in one turn; Effect's own default is 2048. */
const operationMax = 512

/** The scheduler of an actor. */
export const make = (timeline: Timeline, owner: Actor, chance: Dice): Scheduler.Scheduler => {
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
