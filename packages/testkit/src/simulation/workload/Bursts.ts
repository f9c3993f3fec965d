/** When clients of one thing ask: they begin together, and mostly take several steps at once. */
import { Duration, Effect } from "effect"
import type { Dice } from "../clock/Seed.ts"
import type { World } from "../world/World.ts"

/** The processes are up by then, and most of a run is still to come. */
const beginMaxMillis = 30_000

/** Longest between two steps of one client. */
export const stepMaxMillis = 6_000

/** The same where one follows the other at once. */
const burstMaxMillis = 12

/** Waits until those of that name begin. */
export const awaitBeginning = ({ dice }: World, together: string): Effect.Effect<void> =>
  Effect.sleep(Duration.millis(dice(together).between(1_000, beginMaxMillis)))

/** Waits between two steps. A share of them follow each other at once, so that clients meet. */
export const pause = (chance: Dice, burstChance: number): Effect.Effect<void> =>
  Effect.sleep(
    Duration.millis(chance.below(chance.chance(burstChance) ? burstMaxMillis : stepMaxMillis))
  )
