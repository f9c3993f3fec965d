/** Moves against everybody: rows are held, and leases lapse. */
import { Duration, Effect } from "effect"
import { jobId, workspaceId } from "../../samples/Ids.ts"
import type { Questions } from "../questions/Question.ts"
import { keyOf } from "./JobMoves.ts"
import type { Move, Player } from "./Move.ts"
import { slugOf } from "./PresetMoves.ts"

/** How long a row is held, in milliseconds. Seldom long: everybody may have to wait. */
const holdMillis = ({ dice }: Player): number =>
  dice.chance(0.1) ? dice.between(500, 1_500) : dice.between(20, 120)

type Row = Questions["hold"]

const rowOf = (player: Player): Row | undefined => {
  const { board, dice } = player
  if (dice.chance(0.2)) return { of: "preset", slug: slugOf(player) }
  if (dice.chance(0.2)) return { of: "key", key: keyOf(player) }
  if (dice.chance(0.1)) return { of: "workspace" }
  const known = board.pick(dice)
  return known && { of: dice.pick(["job", "work"]), job: known.number }
}

const idOf = (row: Row): string => {
  if ("job" in row) return jobId(row.job)
  if ("slug" in row) return row.slug
  return "key" in row ? row.key : workspaceId(1)
}

/** Holds a row while everybody goes on. It is recorded, because it explains answers to others. */
const hold = (player: Player) => {
  const row = rowOf(player)
  if (row === undefined) return Effect.void
  const during = Effect.sleep(Duration.millis(holdMillis(player)))
  const held = player.troubles.hold({ of: row.of, id: idOf(row) }, during)
  const caller = { ...player, isPatient: true }
  return player.recorder.record(caller, {
    ask: "hold",
    question: row,
    answer: Effect.as(held, null)
  })
}

const lapse = (player: Player) => {
  if (player.troubles.lapse === undefined) return Effect.void
  const jobs = player.board.several(player.dice, 3).map(({ number }) => number)
  return jobs.length === 0 ? Effect.void : player.jobs.lapse(player, jobs)
}

/** Moves against everybody. */
export const troubleMoves: ReadonlyArray<Move> = [
  { weight: 0.1, make: hold },
  { weight: 0.6, make: lapse }
]
