/**
 * A move is one question or a few that belong together; all choices come from the dice of the fiber
 * that makes it.
 */
import type { Effect } from "effect"
import type { KnownJobs } from "../KnownJobs.ts"
import type { jobCalls } from "../questions/JobCalls.ts"
import type { presetCalls } from "../questions/PresetCalls.ts"
import type { Caller, Recorder } from "../questions/Recorder.ts"
import type { Troubles } from "../Troubles.ts"

/** Whoever makes moves. */
export interface Player extends Caller {
  readonly knownJobs: KnownJobs
  readonly recorder: Recorder
  readonly jobs: Effect.Success<ReturnType<typeof jobCalls>>
  readonly presets: Effect.Success<ReturnType<typeof presetCalls>>
  readonly troubles: Troubles["Service"]
  /** The round, which has its own names of keys and presets. */
  readonly round: number
  readonly todayMillis: number
}

/** A kind of move. */
export interface Move {
  /** How often it is made, relative to the others. */
  readonly weight: number
  readonly make: (player: Player) => Effect.Effect<unknown>
}
