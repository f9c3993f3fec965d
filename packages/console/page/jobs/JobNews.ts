/**
 * Hears from the server what happens to jobs, as it happens. Where nobody may listen, or nothing
 * gets here, the list is asked for again and again instead.
 */
import { effect, type ReadonlySignal, untracked } from "@preact/signals"
import { gather, listen } from "../Listening.ts"

/** What is done about news. */
interface Reactions {
  /** Something happened to this job, which may be a new one. */
  readonly onChanged: (id: string) => void
  /** How far the engine is with these. */
  readonly onProgress: (shares: ReadonlyMap<string, number>) => void
  readonly onDeleted: (id: string) => void
  /** Whatever happened while nobody listened may be told yet, or not. */
  readonly onMissed: () => void
  /** Whatever happened before, deletions too, nobody tells of it any more. */
  readonly onReset: () => void
}

/** Begins to listen. How far engines are is told together. */
export const followJobs = (reactions: Reactions, ended: AbortSignal): ReadonlySignal<boolean> => {
  let shares = new Map<string, number>()
  const tellProgress = gather(
    () => {
      const told = shares
      shares = new Map()
      reactions.onProgress(told)
    },
    { ended }
  )
  const { isLive } = listen({
    events: (api, options) => api.transcriptions.allEvents(options),
    onEvent: (told) => {
      if (told.event === "event") reactions.onChanged(told.data.id)
      if (told.event === "progress") {
        shares.set(told.data.id, told.data.progress)
        tellProgress()
      }
      if (told.event === "deleted") reactions.onDeleted(told.data.id)
      if (told.event === "reset") reactions.onReset()
    },
    ended
  })
  // What happened before anybody listened, or while nothing got here.
  const stop = effect(() => {
    if (isLive.value) untracked(reactions.onMissed)
  })
  ended.addEventListener("abort", stop)
  return isLive
}
