/** Moves that insert, claim, read and delete jobs, and renew and release leases. */

import { type WorkKind, WorkKind as WorkKinds } from "@verbatim/core/attempt"
import { keyWindow } from "@verbatim/core/idempotency"
import { Duration, Effect } from "effect"
import type { LeaseOf } from "../calls/CallRecord.ts"
import { jobFrom, jobShapes } from "../calls/JobSpec.ts"
import type { Move, Player } from "./Player.ts"

/** Inserts a job, sometimes twice. */
const submit = (player: Player) => {
  const { knownJobs, dice, jobs, recorder } = player
  const job = recorder.number()
  const input = { job, shape: dice.pick(jobShapes), key: null, ...limits(player) }
  const insert = Effect.map(jobs.insert(player, input), (outcome) => {
    if (outcome.is === "answered") knownJobs.see(jobFrom(job, input.shape))
  })
  return mayBeInsertedTwice(job) ? Effect.all([insert, insert], { concurrency: 2 }) : insert
}

/**
 * Whether the job may be inserted twice. Such a job is never deleted, because a revision must
 * identify one state.
 */
const mayBeInsertedTwice = (job: number): boolean => job % 8 === 0

const kindsOf = ({ dice }: Player): ReadonlyArray<WorkKind> => {
  const some = WorkKinds.literals.filter(() => dice.chance(0.6))
  return some.length === 0 ? WorkKinds.literals : some
}

const claim = (player: Player) => {
  const { knownJobs, dice, jobs } = player
  const claimed = jobs.claim(player, { kinds: kindsOf(player), limit: dice.between(1, 3) })
  return Effect.map(claimed, ({ jobs, token }) => {
    for (const job of jobs) knownJobs.see(job, token)
  })
}

/**
 * Returns leases that were once held, usually a job's latest. Some have the token of another job.
 */
const leasesOf = ({ knownJobs, dice }: Player, count: number): ReadonlyArray<LeaseOf> =>
  knownJobs.several(dice, count).flatMap(({ number, tokens }) => {
    const own = dice.chance(0.7) ? tokens.at(-1) : tokens[dice.below(tokens.length)]
    const token = dice.chance(0.05) ? knownJobs.anyToken(dice) : own
    return token === undefined ? [] : [{ job: number, token }]
  })

const withLeases = (
  player: Player,
  count: number,
  call: (leases: ReadonlyArray<LeaseOf>) => Effect.Effect<unknown>
) => {
  const leases = leasesOf(player, count)
  return leases.length === 0 ? Effect.void : call(leases)
}

const look = (player: Player) => {
  const { knownJobs, dice, jobs } = player
  const known = knownJobs.pick(dice)
  if (known === undefined) return Effect.void
  const { number } = known
  if (dice.chance(0.2)) return jobs.history(player, number)
  if (dice.chance(0.15)) return jobs.transcript(player, number)
  return Effect.map(jobs.find(player, number), (job) => job && knownJobs.see(job))
}

const remove = (player: Player) => {
  const known = player.knownJobs.pick(player.dice)
  if (known === undefined || mayBeInsertedTwice(known.number)) return Effect.void
  return Effect.map(player.jobs.remove(player, known.number), () => {
    if (player.dice.chance(0.7)) player.knownJobs.forget(known.number)
  })
}

/** The moves that act on whole jobs, with their weights. */
export const jobMoves: ReadonlyArray<Move> = [
  { weight: 4, make: submit },
  { weight: 16, make: claim },
  {
    weight: 8,
    make: (player) => withLeases(player, 6, (leases) => player.jobs.renew(player, leases))
  },
  {
    weight: 3,
    make: (player) => withLeases(player, 2, (leases) => player.jobs.release(player, leases))
  },
  { weight: 8, make: look },
  { weight: 2, make: remove }
]

/** More than a day, so that a key of this age has expired by every clock. */
const dayMillis = Duration.toMillis(keyWindow) + 2 * 3_600_000

/** Number of keys shared by all fibers in a round. */
const sharedMax = 300

/** Every tenth job belongs to the workspace with a limit. */
const limits = ({ dice }: Pick<Player, "dice">): { readonly isLimited?: true } =>
  dice.chance(0.1) ? { isLimited: true } : {}

const request = (player: Player, name: string, atMillis: number) => {
  const job = player.recorder.number()
  const shape = player.dice.pick(jobShapes)
  return Effect.map(
    player.jobs.insert(player, { job, shape, key: { name, atMillis }, ...limits(player) }),
    (outcome) => {
      if (outcome.is === "answered" && outcome.answer === null) {
        player.knownJobs.see(jobFrom(job, shape))
      }
    }
  )
}

const now = ({ dice, todayMillis }: Player): number => todayMillis + dice.below(1_000)

/** Returns one of the shared keys. */
const keyOf = ({ dice, round }: Player): string => `shared-${round}-${dice.below(sharedMax)}`

const share = (player: Player) => {
  const key = keyOf(player)
  const attempted = request(player, key, now(player))
  if (player.dice.chance(0.3)) return player.jobs.idempotency(player, key)
  return player.dice.chance(0.2)
    ? Effect.all([attempted, request(player, key, now(player))], { concurrency: 2 })
    : attempted
}

/**
 * Uses a key with yesterday's date, reuses the key today in concurrent requests, and retries the
 * request.
 */
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

/** The moves that use idempotency keys, with their weights. */
export const keyMoves: ReadonlyArray<Move> = [
  { weight: 3, make: share },
  { weight: 0.8, make: useAgain }
]
