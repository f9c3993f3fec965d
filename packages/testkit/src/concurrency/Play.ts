/**
 * Runs one process's part of a round: many fibers make moves concurrently until there have been
 * enough calls.
 */

import type { JobStore, PresetStore, WorkQueue, WorkspaceStore } from "@verbatim/core/ports"
import { Duration, Effect } from "effect"
import { jobId, upTo } from "../samples/Ids.ts"
import { dice } from "../simulation/clock/Seed.ts"
import type { Calls, Recorded } from "./calls/CallRecord.ts"
import { jobCalls } from "./calls/JobCalls.ts"
import { presetCalls } from "./calls/PresetCalls.ts"
import { Recorder } from "./calls/Recorder.ts"
import { commitMoves, jobMoves, keyMoves } from "./moves/JobMoves.ts"
import { KnownJobs, type Move, type Player } from "./moves/Player.ts"
import { presetMoves, slugOf } from "./moves/PresetMoves.ts"
import { Troubles } from "./Troubles.ts"

/** The stores under test, and the disturbances that the check can cause in them. */
export type Checked = JobStore | PresetStore | Troubles | WorkQueue | WorkspaceStore

/** One process's share of a round. */
export interface Round {
  readonly seed: number
  /** The round's number, counted from 0. */
  readonly round: number
  /** This process's index and the number of processes. */
  readonly member: number
  readonly members: number
  readonly fibers: number
  readonly arePatient: boolean
  /** Number of calls that this process makes. */
  readonly calls: number
  /**
   * The time that requests with idempotency keys state. A store can delete keys that are a day old
   * by its own clock.
   */
  readonly todayMillis: number
}

/** Size of the range of numbers for a round. A round makes fewer calls. */
const roundSize = 1_000_000

/** The first number of the range that is reserved for the final calls. */
const closingFrom = 900_000

/** Returns the numbers that a process uses in a round or in its final calls. */
export const makeNumbering = (
  { member, members, round }: Pick<Round, "member" | "members" | "round">,
  part: "moves" | "closing" = "moves"
) => ({
  from: round * roundSize + (part === "closing" ? closingFrom : 1) + member,
  step: members
})

const fiber = (player: Player, isOver: () => boolean) =>
  Effect.whileLoop({
    while: () => !isOver(),
    body: () => Effect.suspend(() => chooseMove(player).make(player)),
    step: () => undefined
  })

/** Runs one process's part of a round, and returns its records. */
export const play = (round: Round): Effect.Effect<ReadonlyArray<Recorded>, never, Checked> =>
  Effect.scoped(playRound(round))

const playRound = Effect.fnUntraced(function* (round: Round) {
  const recorder = new Recorder(makeNumbering(round))
  const shared = {
    recorder,
    knownJobs: new KnownJobs(),
    jobs: yield* jobCalls(recorder),
    presets: yield* presetCalls(recorder),
    troubles: yield* Troubles,
    round: round.round,
    todayMillis: round.todayMillis
  }
  const isOver = () => recorder.records.length >= round.calls
  yield* Effect.forEach(
    upTo(round.fibers),
    (number) => {
      const name = `${round.member}.${number}`
      const own = { name, dice: dice(round.seed, `${round.round} ${name}`) }
      const player = { ...shared, ...own, isPatient: round.arePatient }
      return fiber(player, isOver)
    },
    { concurrency: "unbounded", discard: true }
  )
  return recorder.records as ReadonlyArray<Recorded>
})

// Moves that disturb all fibers by locking rows and expiring leases.

/**
 * Returns how many milliseconds to lock a row. Long locks are rare, because they can block every
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
const troubleMoves: ReadonlyArray<Move> = [
  { weight: 0.06, make: holdRow },
  { weight: 0.6, make: lapse }
]

/** All kinds of moves and their weights. */
const moves: ReadonlyArray<Move> = [
  ...jobMoves,
  ...commitMoves,
  ...keyMoves,
  ...presetMoves,
  ...troubleMoves
]

const weights = moves.map((_, index) =>
  moves.slice(0, index + 1).reduce((sum, { weight }) => sum + weight, 0)
)

/** Chooses a move using the fiber's random numbers. */
const chooseMove = ({ dice }: Player): Move => {
  const drawn = dice.next() * (weights.at(-1) ?? 0)
  return moves[weights.findIndex((weight) => drawn < weight)] as Move
}
