/**
 * A fiber that makes moves, and the jobs as the fibers in its process last saw them. As in any
 * deployment with several processes, many of these copies are outdated.
 */
import type { Job } from "@verbatim/core/job"
import type { Effect } from "effect"
import type { Dice } from "../../simulation/clock/Seed.ts"
import { type JobCalls, numberOf } from "../calls/JobCalls.ts"
import type { presetCalls } from "../calls/PresetCalls.ts"
import type { Caller, Recorder } from "../calls/Recorder.ts"
import type { Troubles } from "../Troubles.ts"

/** A job as this process last saw it. */
export interface KnownJob {
  readonly number: number
  job: Job
  /** The job before its latest commit; undefined for a new job. */
  before: Job | undefined
  /** Every token held so far, newest last. */
  readonly tokens: Array<number>
}

/** Number of jobs that a process uses at a time. It is small, so that fibers collide. */
const jobsMax = 24

/** Number of recent jobs from which most fibers choose. */
const hotMax = 6

/** The jobs known to the fibers in a process, with all past tokens. */
export class KnownJobs {
  readonly #jobs = new Map<number, KnownJob>()
  /** Tokens for all jobs, so that a fiber can pick a token that it never held. */
  readonly #tokens: Array<number> = []

  /** Records the latest state of a job, and ignores an older revision. */
  see(job: Job, token?: number): void {
    const number = numberOf(job.id)
    const known = this.#jobs.get(number)
    if (token !== undefined) this.#tokens.push(token)
    if (known === undefined) {
      const tokens = token === undefined ? [] : [token]
      this.#jobs.set(number, { number, job, before: undefined, tokens })
      const [oldest] = this.#jobs.keys()
      if (this.#jobs.size > jobsMax && oldest !== undefined) this.#jobs.delete(oldest)
      return
    }
    if (token !== undefined) known.tokens.push(token)
    if (job.revision <= known.job.revision) return
    known.before = job.revision === known.job.revision + 1 ? known.job : undefined
    known.job = job
  }

  forget(number: number): void {
    this.#jobs.delete(number)
  }

  /** Returns a job to act on, usually a recent one. */
  pick(dice: Dice): KnownJob | undefined {
    const all = [...this.#jobs.values()]
    const from = dice.chance(0.8) ? Math.max(0, all.length - hotMax) : 0
    return all[from + dice.below(all.length - from)]
  }

  /** Returns several different jobs. */
  several(dice: Dice, count: number): ReadonlyArray<KnownJob> {
    const all = [...this.#jobs.values()]
    return all.filter(() => dice.chance(count / Math.max(1, all.length)))
  }

  /** Returns a random token for any job. */
  anyToken(dice: Dice): number | undefined {
    return this.#tokens.at(-1 - dice.below(Math.min(20, Math.max(1, this.#tokens.length))))
  }
}

/** A fiber that makes moves. */
export interface Player extends Caller {
  readonly knownJobs: KnownJobs
  readonly recorder: Recorder
  readonly jobs: JobCalls
  readonly presets: Effect.Success<ReturnType<typeof presetCalls>>
  readonly troubles: Troubles["Service"]
  /** The round's number. Each round has its own keys and presets. */
  readonly round: number
  readonly todayMillis: number
}

/** A call, or a few related calls, chosen by the fiber's random numbers. */
export interface Move {
  /** How often the move is made relative to other moves. */
  readonly weight: number
  readonly make: (player: Player) => Effect.Effect<unknown>
}
