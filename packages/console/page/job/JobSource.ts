/**
 * A job as its screen has it: read when something has happened, which the server tells at once. The
 * job is asked for again and again only where nothing of that gets here.
 */
import { api, isAway } from "../Api.ts"
import { isOver, type Job, type JobDetails } from "../jobs/JobTraits.ts"
import { gather, listen } from "../Listening.ts"
import { makeSource } from "../ui/Loaded.ts"
import type { History } from "./Standing.ts"

/** A job with what happened to it. */
export interface Told {
  readonly job: JobDetails
  readonly history: History
}

/** How soon a change is seen where nobody tells of it. */
const pollMillis = 2_000

/** What is live, or over, is looked at now and then: every so many of these times. */
const restfulTurns = 10

const revisionOf = ({ events }: History): number => events.at(-1)?.revision ?? 0

/** Reads a job. One that is over is not read again and again: its transcript may be long. */
const readJob = async (
  id: string,
  { before, signal }: { readonly before: Told | undefined; readonly signal: AbortSignal }
): Promise<Told> => {
  const history = await api.transcriptions.history(id, { signal })
  const isSame = before !== undefined && revisionOf(before.history) === revisionOf(history)
  if (isSame && isOver(before.job)) return { ...before, history }
  return { history, job: await api.transcriptions.details(id, { signal }) }
}

/** Makes the source of a job; `end` stops it. */
export const makeJobSource = (id: string) => {
  const controller = new AbortController()
  const { signal: ended } = controller
  const source = makeSource((signal): Promise<Told> => readJob(id, { before: told(), signal }))
  const told = (): Told | undefined => source.state.peek().value
  let newest = 0
  /** What is known already is told again to whoever begins to listen. */
  const look = gather(
    () => {
      const now = told()
      if (now === undefined || newest > revisionOf(now.history)) void source.reload()
    },
    { ended }
  )
  const listener = listen({
    events: (listening, options) => listening.transcriptions.events(id, options),
    onEvent: (event) => {
      const now = told()
      if (event.event === "progress" && now !== undefined) {
        source.put({ ...now, job: { ...now.job, progress: event.data.progress } })
      }
      if (event.event === "deleted") void source.reload()
      if (event.event !== "event") return
      newest = Math.max(newest, event.data.revision)
      look()
    },
    ended
  })
  let turn = 0
  const timer = setInterval(() => {
    const now = told()
    turn += 1
    // Somebody else has it run, or delivered, again.
    if (listener.isOver.value && now !== undefined && !isOver(now.job)) listener.again()
    const isRestful = listener.isLive.value || listener.isOver.value
    const isDue = !isRestful || turn % restfulTurns === 0
    const isSeen = !isAway.value && !document.hidden
    if (isDue && isSeen && !source.state.peek().isLoading) void source.reload()
  }, pollMillis)
  return {
    ...source,
    isLive: listener.isLive,
    /** Shows the job as an action left it, and follows it on: it may have ended before. */
    again: ({ output: _, ...job }: Job): void => {
      const now = told()
      if (now !== undefined) source.put({ ...now, job: { ...now.job, ...job } })
      void source.reload().then(listener.again)
    },
    end: (): void => {
      controller.abort()
      clearInterval(timer)
      source.end()
    }
  }
}
