/**
 * A job as its screen has it: read when something has happened, which the server tells at once. The
 * job is asked for again and again only where nothing of that gets here.
 */
import { api, isAway } from "../Api.ts"
import { isOver, type Job, type JobDetails } from "../jobs/JobTraits.ts"
import { gather, listen } from "../Listening.ts"
import { makeListReader } from "../transcript/ListStream.ts"
import { type Listed, readText } from "../transcript/Load.ts"
import { makeSource } from "../ui/Loaded.ts"
import type { History } from "./Standing.ts"

/** A job with what happened to it. */
export interface Told {
  /** Of its transcript no more than the beginning. */
  readonly job: JobDetails
  readonly history: History
}

/** How soon a change is seen where nobody tells of it. */
const pollMillis = 2_000

/** What is live, or over, is looked at now and then: every so many of these times. */
const restfulTurns = 10

/** Reads a job with the first segments of its transcript: nobody waits for ten hours of them. */
const readJob = async (id: string, signal: AbortSignal): Promise<JobDetails> => {
  const { data, response } = await api.GET("/transcriptions/{id}", {
    params: { path: { id } },
    parseAs: "stream",
    signal
  })
  // One that refuses is told by the named call, in its own words.
  if (!response.ok || data === null || data === undefined) {
    return api.transcriptions.details(id, { signal })
  }
  const reader = makeListReader<Listed>()
  const list: Array<Listed> = []
  for await (const text of readText(data)) {
    for (const batch of reader.take(text)) list.push(...batch)
    if (list.length > 0) break
  }
  const { output, ...job } = reader.cut() as JobDetails
  return output === undefined ? job : { ...job, output: { ...output, list } }
}

const fetchJob =
  (id: string) =>
  async (signal: AbortSignal): Promise<Told> => {
    const [job, history] = await Promise.all([
      readJob(id, signal),
      api.transcriptions.history(id, { signal })
    ])
    return { job, history }
  }

/** Makes the source of a job; `end` stops it. */
export const makeJobSource = (id: string) => {
  const controller = new AbortController()
  const { signal: ended } = controller
  const source = makeSource(fetchJob(id))
  const told = (): Told | undefined => source.state.peek().value
  let newest = 0
  /** What is known already is told again to whoever begins to listen. */
  const look = gather(
    () => {
      if (newest > (told()?.history.events.at(-1)?.revision ?? 0)) void source.reload()
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
