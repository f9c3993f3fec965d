/**
 * Moves that commit: one writer continues its work, or several concurrent writers each believe that
 * they hold the job.
 */
import type { Job } from "@verbatim/core/job"
import { Effect } from "effect"
import type { CommitSpec } from "../calls/JobCalls.ts"
import { acceptable } from "../calls/JobSpec.ts"
import type { KnownJob, Move, Player } from "./Player.ts"

/** Chooses a legal commit for a job as last seen. Returns undefined if no event is possible. */
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

/** Reads the job again if another writer was faster, as every caller must. */
const refresh = (player: Player, { number }: KnownJob) =>
  Effect.map(player.jobs.find(player, number), (job) => job && player.knownJobs.see(job))

const goOn = (player: Player) => {
  const known = player.knownJobs.pick(player.dice)
  if (known === undefined) return Effect.void
  const commitSpec = drawCommit(player, known.job, known.tokens.at(-1) ?? null)
  const written = commit(player, commitSpec)
  return player.dice.chance(0.15) ? Effect.andThen(written, refresh(player, known)) : written
}

/** Writers that can collide on one job, each with its own token and its own view of the job. */
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

/** Commits to one job several times concurrently; the commits can share a statement. */
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
