/**
 * Moves that disturb all fibers: they lock rows, let leases expire, and renew leases while a row is
 * locked.
 */

import { Duration, Effect } from "effect"
import { jobId } from "../../samples/Ids.ts"
import type { Calls } from "../calls/CallRecord.ts"
import type { Move, Player } from "./Player.ts"
import { slugOf } from "./PresetMoves.ts"

/**
 * Returns the milliseconds for which to lock a row, rarely many, because the lock can make every
 * fiber wait.
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
 * Locks a row while an effect runs. Records the lock, because it explains answers to other callers.
 */
const hold = (player: Player, row: Row, during: Effect.Effect<unknown>) => {
  const held = player.troubles.hold({ of: row.of, id: idOf(row) }, during)
  const caller = { ...player, isPatient: true }
  return player.recorder.record(caller, {
    call: "hold",
    input: row,
    answer: Effect.as(held, null)
  })
}

/** Locks a row while the other fibers continue. */
const holdRow = (player: Player) => {
  const row = rowOf(player)
  if (row === undefined) return Effect.void
  return hold(player, row, Effect.sleep(Duration.millis(holdMillis(player))))
}

const lapse = (player: Player) => {
  if (player.troubles.lapse === undefined) return Effect.void
  const jobs = player.knownJobs.several(player.dice, 3).map(({ number }) => number)
  return jobs.length === 0 ? Effect.void : player.jobs.lapse(player, jobs)
}

/**
 * Renews several leases while one lease's row is locked. The other renewals must not fail, because
 * their rows are not locked.
 */
const renewDespiteLock = (player: Player) => {
  const { knownJobs, dice, jobs, troubles } = player
  if (!troubles.holdsRows) return Effect.void
  const leases = knownJobs.several(dice, 6).flatMap(({ number, tokens }) => {
    const token = tokens.at(-1)
    return token === undefined ? [] : [{ job: number, token }]
  })
  const locked = leases[0]?.job
  if (locked === undefined || leases.length < 2) return Effect.void
  const renew = jobs.renew({ ...player, isPatient: true }, { leases, locked })
  // Two consecutive lost answers are very unlikely.
  const renewed = Effect.flatMap(renew, ({ is }) => (is === "unknown" ? renew : Effect.void))
  return hold(player, { of: "work", job: locked }, renewed)
}

/** Moves that disturb all fibers. */
export const troubleMoves: ReadonlyArray<Move> = [
  { weight: 0.06, make: holdRow },
  { weight: 0.6, make: lapse },
  { weight: 0.04, make: renewDespiteLock }
]
