/** Faults that affect whole processes or the stores: pauses, stops, jumping clocks, and outages. */

import { freeze } from "../world/Lifetime.ts"
import type { World } from "../world/World.ts"
import type { Fleet, Slot } from "./Fleet.ts"

/** Time in milliseconds between opportunities for a fault to strike a process. */
const gustMillis = 10_000

const outageMaxMillis = 50_000
const jumpMaxMillis = 60_000

/**
 * Limits on clock differences between two database servers, and on failovers. A difference shorter
 * than a claim's round trip cannot be detected.
 */
const stepMinMillis = 6_000
const stepMaxMillis = 90_000
const stepPauseMillis = 120_000

/** Starts faults in processes and stores, which end when all faults end. */
export const start = (world: World, fleet: Fleet): void => {
  const { faults, outside, timeline } = world
  const chance = world.dice("weather")
  let steppedAt = Number.NEGATIVE_INFINITY

  const strike = (slot: Slot) => {
    const { lifetime } = slot
    if (lifetime === null) return
    const { name } = lifetime.actor
    if (faults.strikes("process pauses", name)) freeze(world, lifetime, chance.between(500, 10_000))
    if (faults.strikes("process pauses beyond its leases", name)) {
      freeze(world, lifetime, chance.between(30_000, 90_000))
    }
    if (faults.strikes("clock jumps", name)) {
      lifetime.skew.wallMillis += chance.between(-jumpMaxMillis, jumpMaxMillis)
    }
    if (faults.strikes("process is stopped", name)) fleet.stop(slot)
  }

  /** Fails over to another database server. */
  const step = () => {
    const millis = chance.between(stepMinMillis, stepMaxMillis) * chance.pick([-1, 1])
    steppedAt = timeline.now()
    world.storeSkew.wallMillis += millis
    if (millis > 0) world.storeForwardAt = steppedAt
    world.trace.add("store", `has its clock set by ${millis} ms`)
  }

  const gust = () => {
    if (faults.isCalm()) return
    if (timeline.now() > world.outageUntil && chance.chance(0.1)) {
      if (faults.strikes("store is out", "store")) {
        world.outageUntil = timeline.now() + chance.between(1_000, outageMaxMillis)
      }
    }
    if (timeline.now() > steppedAt + stepPauseMillis) {
      if (faults.strikes("store's clock steps", "store")) step()
    }
    for (const slot of fleet.slots) {
      timeline.after(outside, chance.below(gustMillis), () => strike(slot))
    }
    timeline.after(outside, gustMillis, gust)
  }
  gust()
}
