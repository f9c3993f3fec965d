/** How far a claim looks, and how long what it gives out is leased. */
import { laneHash } from "@verbatim/core/job"
import { leaseDuration } from "@verbatim/core/ports"
import { Duration } from "effect"

/** How long a lease holds, in the unit of the rows. */
export const leaseMillis: number = Duration.toMillis(leaseDuration)

/**
 * A lease that ends this much later than a new one was given out before the clock was set back. The
 * margin is for renewals while a claim runs.
 */
export const overlongMillis: number = leaseMillis + 2_000

/**
 * Rows of a kind that a claim looks at, held ones included, in the order in which they are due. If
 * it comes to their end, it has seen all that is due.
 */
export const peekMax = 128

/** Where there are more, the workspaces that it looks into, from where the last claim ended. */
export const workspacesMax = 16

/** And in each of those the lanes that are not full; with four pieces each, half of 128 slots. */
export const lanesMax = 16

/**
 * And in each lane the rows, held ones included. This many attempts of one lane may be under way in
 * all processes together before a claim sees nothing behind them.
 */
export const laneRowsMax = 1_000

/** The lane of work without one. */
export const noLaneHash: number = laneHash("")
