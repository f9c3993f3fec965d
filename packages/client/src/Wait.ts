/**
 * Waiting for a job: the server answers when its status changes, or else after a while, until
 * nothing more comes of it.
 */

import type { components } from "./generated/Description.ts"
import type { Clock } from "./Retry.ts"
import { unsent, VerbatimError } from "./VerbatimError.ts"

type Job = components["schemas"]["Job"]

/** How to wait. */
export interface WaitOptions {
  /** Ends the waiting, not the job: `AbortSignal.timeout(…)` is a limit of time. */
  readonly signal?: AbortSignal | undefined
  /** Called with the job after each answer, the last one included. */
  readonly onProgress?: ((job: Job) => unknown) | undefined
  /** Milliseconds between the first two answers while nothing changes; later ones grow. */
  readonly interval?: number | undefined
}

/** The first pause in milliseconds, its growth, and the longest default pause. */
const pace = { first: 1_000, factor: 1.5, max: 15_000 }

const open: ReadonlySet<string> = new Set(["ACCEPTED", "IN_QUEUE", "IN_PROGRESS", "PENDING"])

/**
 * Whether transcription and summary have ended. A webhook has another receiver, which may
 * answer minutes later.
 */
const hasEnded = ({ summary_status = "", transcription_status }: Job): boolean =>
  !open.has(transcription_status) && !open.has(summary_status)

/** As long as a server waits for a change, in seconds. */
const waitMax = 60

const statesOf = ({ summary_status, transcription_status }: Job): string =>
  `${transcription_status} ${summary_status}`

/** Reads a job until it has ended. The caller's signal is the limit. */
export const waitFor = async (
  read: (waitSeconds?: number) => Promise<Job>,
  { clock, options }: { readonly clock: Clock; readonly options: WaitOptions }
): Promise<Job> => {
  const { interval = pace.first, onProgress, signal } = options
  if (!(interval > 0)) throw unsent("`interval` must be a number of milliseconds above 0")
  const longest = Math.max(interval, pace.max)
  /** Where too many wait already, it is asked again later. */
  const look = (waitSeconds: number) =>
    read(waitSeconds).catch((error: unknown) => {
      if (error instanceof VerbatimError && error.status === 429) return read()
      throw error
    })
  let job = await read()
  for (let pause = interval; ; pause = Math.min(pause * pace.factor, longest)) {
    await onProgress?.(job)
    if (hasEnded(job)) return job
    const before = job
    const askedAt = clock.nowMillis()
    job = await look(Math.min(Math.ceil(pause / 1_000), waitMax))
    const rest = pause - (clock.nowMillis() - askedAt)
    // A server may wait for less, or not at all.
    if (statesOf(job) === statesOf(before) && rest > 0) await clock.sleep(rest, signal)
  }
}
