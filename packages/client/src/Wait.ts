/**
 * Waiting for a job: asking how it is, less and less often, until nothing more comes of it.
 */
import type { Clock } from "./Clock.ts"
import type { components } from "./generated/Description.ts"

type Job = components["schemas"]["Job"]

/** How to wait. */
export interface WaitOptions {
  /** Ends the waiting, not the job: `AbortSignal.timeout(…)` is a limit of time. */
  readonly signal?: AbortSignal | undefined
  /** Is told of the job after each answer, the last one included. */
  readonly onProgress?: ((job: Job) => void) | undefined
  /** Milliseconds between the first two answers; later ones are further apart. */
  readonly interval?: number | undefined
}

/** The first pause in milliseconds, its growth, and the longest one that nobody asked for. */
const pace = { first: 1_000, factor: 1.5, max: 15_000 }

const open: ReadonlySet<string> = new Set(["ACCEPTED", "IN_QUEUE", "IN_PROGRESS", "PENDING"])

/**
 * Whether transcription and summary have ended. A webhook is for somebody else, who may answer
 * minutes later.
 */
const hasEnded = ({ summary_status = "", transcription_status }: Job): boolean =>
  !open.has(transcription_status) && !open.has(summary_status)

/** Reads a job until it has ended. The caller's signal is the limit. */
export const waitFor = async (
  read: () => Promise<Job>,
  { clock, options }: { readonly clock: Clock; readonly options: WaitOptions }
): Promise<Job> => {
  const { interval = pace.first, onProgress, signal } = options
  const longest = Math.max(interval, pace.max)
  for (let pause = interval; ; pause = Math.min(pause * pace.factor, longest)) {
    const job = await read()
    onProgress?.(job)
    if (hasEnded(job)) return job
    await clock.sleep(pause, signal)
  }
}
