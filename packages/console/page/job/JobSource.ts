/**
 * The data for the job screen, which is read again whenever a live event arrives. The data is
 * polled often only if events do not get through.
 */
import { api, isAway } from "../Api.ts"
import { hasEnded, type Job, type JobDetails } from "../jobs/JobTraits.ts"
import { coalesce, subscribe } from "../Subscription.ts"
import { makeSource } from "../ui/Loaded.ts"
import type { History } from "./StatusReason.ts"

/** A job with its history. */
export interface LoadedJob {
  readonly job: JobDetails
  readonly history: History
}

/** The polling interval while no events arrive. */
const pollMillis = 2_000

/** A job with live events, or one that has ended, is polled only on every nth tick. */
const slowPollTicks = 10

const revisionOf = ({ events }: History): number => events.at(-1)?.revision ?? 0

/** Reads a job. A job that has ended is not read again, because its transcript may be long. */
const readJob = async (
  id: string,
  { before, signal }: { readonly before: LoadedJob | undefined; readonly signal: AbortSignal }
): Promise<LoadedJob> => {
  const history = await api.transcriptions.history(id, { signal })
  const isSame = before !== undefined && revisionOf(before.history) === revisionOf(history)
  if (isSame && hasEnded(before.job)) return { ...before, history }
  return { history, job: await api.transcriptions.details(id, { signal }) }
}

/** Makes the source for a job; `end` stops it. */
export const makeJobSource = (id: string) => {
  const controller = new AbortController()
  const { signal: ended } = controller
  const source = makeSource(
    (signal): Promise<LoadedJob> => readJob(id, { before: current(), signal })
  )
  const current = (): LoadedJob | undefined => source.state.peek().value
  let newest = 0
  /** A new subscription repeats events that are already known. */
  const refresh = coalesce(
    () => {
      const now = current()
      if (now === undefined || newest > revisionOf(now.history)) void source.reload()
    },
    { ended }
  )
  const subscription = subscribe({
    events: (client, options) => client.transcriptions.events(id, options),
    onEvent: (event) => {
      const now = current()
      if (event.event === "progress" && now !== undefined) {
        source.put({ ...now, job: { ...now.job, progress: event.data.progress } })
      }
      if (event.event === "deleted") void source.reload()
      if (event.event !== "event") return
      newest = Math.max(newest, event.data.revision)
      refresh()
    },
    ended
  })
  let tick = 0
  const timer = setInterval(() => {
    const now = current()
    tick += 1
    // Another client has retried or redelivered the job.
    if (subscription.hasEnded.value && now !== undefined && !hasEnded(now.job))
      subscription.resume()
    const isSlow = subscription.isLive.value || subscription.hasEnded.value
    const isDue = !isSlow || tick % slowPollTicks === 0
    const isSeen = !isAway.value && !document.hidden
    if (isDue && isSeen && !source.state.peek().isLoading) void source.reload()
  }, pollMillis)
  return {
    ...source,
    isLive: subscription.isLive,
    /**
     * Shows the job as an action returned it, and subscribes again, because the job may have ended
     * before the action.
     */
    follow: ({ output: _, ...job }: Job): void => {
      const now = current()
      if (now !== undefined) source.put({ ...now, job: { ...now.job, ...job } })
      void source.reload().then(subscription.resume)
    },
    end: (): void => {
      controller.abort()
      clearInterval(timer)
      source.end()
    }
  }
}
