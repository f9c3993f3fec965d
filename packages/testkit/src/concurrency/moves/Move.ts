/** A move is one call, or a few related calls. The fiber's random numbers decide everything. */
import type { Effect } from "effect"
import type { jobCalls } from "../calls/JobCalls.ts"
import type { presetCalls } from "../calls/PresetCalls.ts"
import type { Caller, Recorder } from "../calls/Recorder.ts"
import type { KnownJobs } from "../KnownJobs.ts"
import type { Troubles } from "../Troubles.ts"

/** A fiber that makes moves. */
export interface Player extends Caller {
  readonly knownJobs: KnownJobs
  readonly recorder: Recorder
  readonly jobs: Effect.Success<ReturnType<typeof jobCalls>>
  readonly presets: Effect.Success<ReturnType<typeof presetCalls>>
  readonly troubles: Troubles["Service"]
  /** The number of the round, which has its own keys and presets. */
  readonly round: number
  readonly todayMillis: number
}

export interface Move {
  /** The move's frequency relative to other moves. */
  readonly weight: number
  readonly make: (player: Player) => Effect.Effect<unknown>
}
