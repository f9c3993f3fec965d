/**
 * Waits for a job to end by long polling: the server responds when the job's status changes or the
 * requested time is up.
 */

import type { components } from "./generated/Description.ts"
import type { Clock } from "./Retry.ts"
import { unsent, VerbatimError } from "./VerbatimError.ts"

type Job = components["schemas"]["Job"]

/** Options of `wait`. */
export interface WaitOptions {
  /** The signal ends the wait, but not the job; use `AbortSignal.timeout(…)` as a time limit. */
  readonly signal?: AbortSignal | undefined
  /** Called with the job after each response, including the last one. */
  readonly onProgress?: ((job: Job) => unknown) | undefined
  /**
   * Milliseconds between the first two responses if nothing changes. Later intervals are longer.
   */
  readonly interval?: number | undefined
}

/**
 * The pace of polling: the first pause in milliseconds, the factor by which each pause is longer
 * than the previous one, and the longest default pause.
 */
const pace = { first: 1_000, factor: 1.5, max: 15_000 }

const open: ReadonlySet<string> = new Set(["ACCEPTED", "IN_QUEUE", "IN_PROGRESS", "PENDING"])

/**
 * Whether transcript and summary have ended. Webhooks are not included, because they can take
 * minutes.
 */
const hasEnded = ({ summary_status = "", transcription_status }: Job): boolean =>
  !open.has(transcription_status) && !open.has(summary_status)

/** The longest time that the server waits for a change, in seconds. */
const waitMax = 60

const statesOf = ({ summary_status, transcription_status }: Job): string =>
  `${transcription_status} ${summary_status}`

/** Reads a job until it has ended, or until the caller's signal aborts. */
export const waitFor = async (
  read: (waitSeconds?: number) => Promise<Job>,
  { clock, options }: { readonly clock: Clock; readonly options: WaitOptions }
): Promise<Job> => {
  const { interval = pace.first, onProgress, signal } = options
  if (!(interval > 0)) throw unsent("`interval` must be a number of milliseconds above 0")
  const longest = Math.max(interval, pace.max)
  /** If the server has too many waiting requests, the client reads once without waiting. */
  const readChange = (waitSeconds: number) =>
    read(waitSeconds).catch((error: unknown) => {
      if (error instanceof VerbatimError && error.status === 429) return read()
      throw error
    })
  let job = await read()
  for (let pause = interval; ; pause = Math.min(pause * pace.factor, longest)) {
    await onProgress?.(job)
    if (hasEnded(job)) return job
    const before = job
    const calledAt = clock.nowMillis()
    job = await readChange(Math.min(Math.ceil(pause / 1_000), waitMax))
    const rest = pause - (clock.nowMillis() - calledAt)
    // The server may have responded sooner than requested, or even immediately.
    if (statesOf(job) === statesOf(before) && rest > 0) await clock.sleep(rest, signal)
  }
}
