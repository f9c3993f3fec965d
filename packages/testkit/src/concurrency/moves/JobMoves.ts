/** Moves about whole jobs and their leases: made, claimed, renewed, given back, read, deleted. */
import { type WorkKind, WorkKind as WorkKinds } from "@verbatim/core/attempt"
import { Effect } from "effect"
import type { LeaseOf } from "../questions/Question.ts"
import { jobFrom, seedlings } from "../questions/Seedling.ts"
import { limits } from "./KeyMoves.ts"
import type { Move, Player } from "./Move.ts"

/** Makes a job. Now and then somebody sends it twice. */
const submit = (player: Player) => {
  const { board, dice, jobs, recorder } = player
  const job = recorder.number()
  const question = { job, seedling: dice.pick(seedlings), key: null, ...limits(player) }
  const insert = Effect.map(jobs.insert(player, question), (outcome) => {
    if (outcome.is === "answered") board.see(jobFrom(job, question.seedling))
  })
  return isMadeTwice(job) ? Effect.all([insert, insert], { concurrency: 2 }) : insert
}

/** Jobs that are sent twice are never deleted: a revision must stand for one state. */
const isMadeTwice = (job: number): boolean => job % 8 === 0

const kindsOf = ({ dice }: Player): ReadonlyArray<WorkKind> => {
  const some = WorkKinds.literals.filter(() => dice.chance(0.6))
  return some.length === 0 ? WorkKinds.literals : some
}

const claim = (player: Player) => {
  const { board, dice, jobs } = player
  const claimed = jobs.claim(player, { kinds: kindsOf(player), limit: dice.between(1, 3) })
  return Effect.map(claimed, ({ jobs, token }) => {
    for (const job of jobs) board.see(job, token)
  })
}

/** Leases held at some time, most of them the latest of their job, some of another job. */
const leasesOf = ({ board, dice }: Player, count: number): ReadonlyArray<LeaseOf> =>
  board.several(dice, count).flatMap(({ number, tokens }) => {
    const own = dice.chance(0.7) ? tokens.at(-1) : tokens[dice.below(tokens.length)]
    const token = dice.chance(0.05) ? board.anyToken(dice) : own
    return token === undefined ? [] : [{ job: number, token }]
  })

const withLeases = (
  player: Player,
  count: number,
  ask: (leases: ReadonlyArray<LeaseOf>) => Effect.Effect<unknown>
) => {
  const leases = leasesOf(player, count)
  return leases.length === 0 ? Effect.void : ask(leases)
}

const look = (player: Player) => {
  const { board, dice, jobs } = player
  const known = board.pick(dice)
  if (known === undefined) return Effect.void
  const { number } = known
  if (dice.chance(0.2)) return jobs.history(player, number)
  if (dice.chance(0.15)) return jobs.transcript(player, number)
  return Effect.map(jobs.find(player, number), (job) => job && board.see(job))
}

const remove = (player: Player) => {
  const known = player.board.pick(player.dice)
  if (known === undefined || isMadeTwice(known.number)) return Effect.void
  return Effect.map(player.jobs.remove(player, known.number), () => {
    if (player.dice.chance(0.7)) player.board.forget(known.number)
  })
}

/** Moves about whole jobs. */
export const jobMoves: ReadonlyArray<Move> = [
  { weight: 4, make: submit },
  { weight: 16, make: claim },
  {
    weight: 8,
    make: (player) => withLeases(player, 6, (leases) => player.jobs.renew(player, { leases }))
  },
  {
    weight: 3,
    make: (player) => withLeases(player, 2, (leases) => player.jobs.release(player, leases))
  },
  { weight: 8, make: look },
  { weight: 2, make: remove }
]
