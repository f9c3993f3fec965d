/**
 * What happens to whole processes and to the stores while the storm lasts: pauses, stops, clocks
 * that jump, and outages.
 */
import type { Fleet, Slot } from "./Fleet.ts"
import { freeze } from "./Life.ts"
import type { World } from "./World.ts"

/** How often the weather looks for somebody to strike. */
const gustMillis = 10_000

const outageMaxMillis = 50_000
const jumpMaxMillis = 60_000

/** Starts the storm; it ends when the faults do. */
export const start = (world: World, fleet: Fleet): void => {
  const { faults, outside, timeline } = world
  const chance = world.dice("weather")

  const strike = (slot: Slot) => {
    const { life } = slot
    if (life === null) return
    const { name } = life.actor
    if (faults.strikes("process pauses", name)) freeze(world, life, chance.between(500, 10_000))
    if (faults.strikes("process pauses beyond its leases", name)) {
      freeze(world, life, chance.between(30_000, 90_000))
    }
    if (faults.strikes("clock jumps", name)) {
      life.skew.wallMillis += chance.between(-jumpMaxMillis, jumpMaxMillis)
    }
    if (faults.strikes("process is stopped", name)) fleet.stop(slot)
  }

  const gust = () => {
    if (faults.isCalm()) return
    if (timeline.now() > world.outageUntil && chance.chance(0.1)) {
      if (faults.strikes("store is out", "store")) {
        world.outageUntil = timeline.now() + chance.between(1_000, outageMaxMillis)
      }
    }
    for (const slot of fleet.slots) {
      timeline.after(outside, chance.below(gustMillis), () => strike(slot))
    }
    timeline.after(outside, gustMillis, gust)
  }
  gust()
}
