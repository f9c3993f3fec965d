/**
 * Moves that insert, claim, read and delete jobs, commit to them, and renew and release leases.
 * Concurrent writers each act as if they held the job.
 */

import { type WorkKind, WorkKind as WorkKinds } from "@verbatim/core/attempt"
import { keyWindow } from "@verbatim/core/idempotency"
import type { Job } from "@verbatim/core/job"
import { Duration, Effect } from "effect"
import type { LeaseOf } from "../calls/CallRecord.ts"
import type { CommitSpec } from "../calls/JobCalls.ts"
import { acceptable, jobFrom, jobShapes } from "../calls/JobSpec.ts"
import type { KnownJob, Move, Player } from "./Player.ts"

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
 * Whether the job may be inserted twice. Such a job is never deleted, because each revision must
 * belong to one state.
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
 * Returns leases that were held at some time, usually a job's latest. Some have the token of
 * another job.
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

/** More than a day. A key of this age has expired by every clock. */
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
 * Uses a key with yesterday's date, reuses it today in concurrent requests, and retries one of
 * them.
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

/** Chooses a legal commit for a job's last known state; undefined if no event is possible. */
const drawCommit = ({ dice }: Player, known: Job, token: number | null): CommitSpec | undefined => {
  const names = acceptable(known)
  const name = names[dice.below(names.length)]
  if (name === undefined) return undefined
  const isTranscript = name.event === "TranscriptProduced"
  const isEnd = /^(?:Produced|GivenUp|Receiver)/.test(name.event)
  return {
    known,
    token,
    spec: { ...name, isFarOff: dice.chance(0.1) },
    isLeaseKept: token !== null && !isEnd && dice.chance(0.7),
    hasTranscript: isTranscript,
    // Some jobs are charged late or twice; a second charge changes nothing.
    isCharged: isTranscript || dice.chance(0.2)
  }
}

const commit = (player: Player, commitSpec: CommitSpec | undefined): Effect.Effect<unknown> =>
  commitSpec === undefined
    ? Effect.void
    : Effect.map(player.jobs.commit(player, commitSpec), ({ next, outcome }) => {
        if (outcome.is === "answered") player.knownJobs.see(next)
      })

/** Reads the job again, as a caller does after another writer was faster. */
const refresh = (player: Player, { number }: KnownJob) =>
  Effect.map(player.jobs.find(player, number), (job) => job && player.knownJobs.see(job))

const goOn = (player: Player) => {
  const known = player.knownJobs.pick(player.dice)
  if (known === undefined) return Effect.void
  const commitSpec = drawCommit(player, known.job, known.tokens.at(-1) ?? null)
  const written = commit(player, commitSpec)
  return player.dice.chance(0.15) ? Effect.andThen(written, refresh(player, known)) : written
}

/** Writers that can collide on a job, each with its own token and its own copy of the job. */
const writers: ReadonlyArray<
  (player: Player, known: KnownJob) => readonly [Job | undefined, number | null | undefined]
> = [
  (_, { job, tokens }) => [job, tokens.at(-1)],
  (_, { job, tokens }) => [job, tokens.at(-1)],
  ({ dice }, { job, tokens }) => [job, tokens[dice.below(tokens.length - 1)]],
  ({ knownJobs, dice }, { job }) => [job, knownJobs.anyToken(dice)],
  (_, { before, tokens }) => [before, tokens.at(-1)],
  (_, { before }) => [before, null],
  (_, { job }) => [job, null]
]

/** Commits to one job several times concurrently. The commits can share a statement. */
const meet = (player: Player) => {
  const { knownJobs, dice } = player
  const known = knownJobs.pick(dice)
  if (known === undefined) return Effect.void
  const commitSpecs = Array.from({ length: dice.between(2, 4) }, () => {
    const [job, token] = dice.pick(writers)(player, known)
    return job === undefined || token === undefined ? undefined : drawCommit(player, job, token)
  })
  const all = commitSpecs.map((commitSpec) => commit(player, commitSpec))
  return Effect.andThen(
    Effect.all(all, { concurrency: "unbounded", discard: true }),
    refresh(player, known)
  )
}

/** The moves that commit to jobs, with their weights. */
export const commitMoves: ReadonlyArray<Move> = [
  { weight: 20, make: goOn },
  { weight: 8, make: meet }
]
