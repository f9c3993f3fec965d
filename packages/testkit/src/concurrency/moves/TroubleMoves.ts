/** Moves that disturb all fibers by locking rows and expiring leases. */

import { Duration, Effect } from "effect"
import { jobId } from "../../samples/Ids.ts"
import type { Calls } from "../calls/CallRecord.ts"
import type { Move, Player } from "./Player.ts"
import { slugOf } from "./PresetMoves.ts"

/**
 * Returns for how many milliseconds to lock a row: rarely long, because the lock can block every
 * fiber.
 */
const holdMillis = ({ dice }: Player): number =>
  dice.chance(0.1) ? dice.between(500, 1_500) : dice.between(20, 120)

type Row = Calls["hold"]

const rowOf = (player: Player): Row | undefined => {
  const { knownJobs, dice } = player
  if (dice.chance(0.2)) return { of: "preset", slug: slugOf(player) }
  const known = knownJobs.pick(dice)
  return known && { of: dice.pick(["job", "work"]), job: known.number }
}

const idOf = (row: Row): string => ("job" in row ? jobId(row.job) : row.slug)

/**
 * Locks a row while the other fibers continue. Records the lock, because it explains other callers'
 * answers.
 */
const holdRow = (player: Player) => {
  const row = rowOf(player)
  if (row === undefined) return Effect.void
  const pause = Effect.sleep(Duration.millis(holdMillis(player)))
  const held = player.troubles.hold({ of: row.of, id: idOf(row) }, pause)
  const attempted = { call: "hold" as const, input: row, answer: Effect.as(held, null) }
  return player.recorder.record({ ...player, isPatient: true }, attempted)
}

const lapse = (player: Player) => {
  if (player.troubles.lapse === undefined) return Effect.void
  const jobs = player.knownJobs.several(player.dice, 3).map(({ number }) => number)
  return jobs.length === 0 ? Effect.void : player.jobs.lapse(player, jobs)
}

/** The moves that lock rows and expire leases, with their weights. */
export const troubleMoves: ReadonlyArray<Move> = [
  { weight: 0.06, make: holdRow },
  { weight: 0.6, make: lapse }
]
