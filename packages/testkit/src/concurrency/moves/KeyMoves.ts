/**
 * Moves with idempotency keys: many requests under one key, and keys of yesterday that are used
 * again while others sweep away what has lapsed.
 */
import { keyWindow } from "@verbatim/core/idempotency"
import { Duration, Effect } from "effect"
import { jobFrom, seedlings } from "../questions/Seedling.ts"
import type { Move, Player } from "./Move.ts"

/** More than a day: a key that old has lapsed by any clock. */
const dayMillis = Duration.toMillis(keyWindow) + 2 * 3_600_000

/** Keys that all fibers of a round share. */
const sharedMax = 300

/** Every tenth job is one of a workspace with a limit. */
export const limits = ({ dice }: Pick<Player, "dice">): { readonly isLimited?: true } =>
  dice.chance(0.1) ? { isLimited: true } : {}

const request = (player: Player, name: string, atMillis: number) => {
  const job = player.recorder.number()
  const seedling = player.dice.pick(seedlings)
  return Effect.map(
    player.jobs.insert(player, { job, seedling, key: { name, atMillis }, ...limits(player) }),
    (outcome) => {
      if (outcome.is === "answered" && outcome.answer === null) {
        player.board.see(jobFrom(job, seedling))
      }
    }
  )
}

const now = ({ dice, todayMillis }: Player): number => todayMillis + dice.below(1_000)

/** One of the keys that fibers share. */
export const keyOf = ({ dice, round }: Player): string => `shared-${round}-${dice.below(sharedMax)}`

const share = (player: Player) => {
  const key = keyOf(player)
  const asked = request(player, key, now(player))
  if (player.dice.chance(0.3)) return player.jobs.idempotency(player, key)
  return player.dice.chance(0.2)
    ? Effect.all([asked, request(player, key, now(player))], { concurrency: 2 })
    : asked
}

/** A key of yesterday: used today by several at once, and repeated. */
const useAgain = (player: Player) => {
  const { jobs, recorder } = player
  const key = `daily-${recorder.number()}`
  const today = () => request(player, key, now(player))
  const other = () => request(player, `single-${recorder.number()}`, now(player))
  return request(player, key, now(player) - dayMillis).pipe(
    Effect.andThen(Effect.all([today(), other(), today(), other()], { concurrency: 4 })),
    Effect.andThen(today()),
    Effect.andThen(jobs.idempotency(player, key))
  )
}

/** Moves with keys. */
export const keyMoves: ReadonlyArray<Move> = [
  { weight: 3, make: share },
  { weight: 0.8, make: useAgain }
]
