/**
 * Hears from the server that something happened to jobs, as it happens. Where nobody may listen, or
 * nothing gets here, the list is asked for again and again instead.
 */
import type { ReadonlySignal } from "@preact/signals"
import { gather, listen } from "../Listening.ts"

/** Begins to listen; `onNews` is called soon after each event. */
export const followJobs = (onNews: () => void, ended: AbortSignal): ReadonlySignal<boolean> => {
  const { isLive } = listen({
    events: (api, options) => api.transcriptions.allEvents(options),
    onEvent: gather(onNews, ended),
    ended
  })
  return isLive
}
