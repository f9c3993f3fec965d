/**
 * What the fibers of one process know and share: jobs as they last saw them, and all tokens they
 * ever had. Much of it is out of date, as in any process that is not alone.
 */
import type { Job } from "@verbatim/core/job"
import type { Dice } from "../simulation/clock/Seed.ts"
import { numberOf } from "./questions/JobCalls.ts"

/** A job as this process knows it. */
export interface KnownJob {
  readonly number: number
  job: Job
  /** As it was one commit before; none when it is new. */
  before: Job | undefined
  /** Every token held so far, the latest one last. */
  readonly tokens: Array<number>
}

/** Jobs that a process deals with at a time: few enough that its fibers meet. */
const jobsMax = 24

/** Of these, those that most fibers choose. */
const hotMax = 6

export class KnownJobs {
  readonly #jobs = new Map<number, KnownJob>()
  /** Tokens of any job, for fibers that try one that was never theirs. */
  readonly #tokens: Array<number> = []

  /** Notes a job as somebody saw it. Older news changes nothing. */
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

  /** A job to act on, most often one of the latest. */
  pick(dice: Dice): KnownJob | undefined {
    const all = [...this.#jobs.values()]
    const from = dice.chance(0.8) ? Math.max(0, all.length - hotMax) : 0
    return all[from + dice.below(all.length - from)]
  }

  /** Some jobs, each once. */
  several(dice: Dice, count: number): ReadonlyArray<KnownJob> {
    const all = [...this.#jobs.values()]
    return all.filter(() => dice.chance(count / Math.max(1, all.length)))
  }

  /** A token of some job. */
  anyToken(dice: Dice): number | undefined {
    return this.#tokens.at(-1 - dice.below(Math.min(20, Math.max(1, this.#tokens.length))))
  }
}
