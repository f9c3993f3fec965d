/**
 * Hears from the server that something happened to jobs, as it happens. Where nobody may listen, or
 * while the server is away, the list is asked for again and again instead.
 */
import { signal } from "@preact/signals"
import { api } from "../Api.ts"

/** What happens together is looked at once. */
const gatherMillis = 200

/** Before the server is asked again to let us listen. */
const againMillis = 5_000

const sleep = (millis: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, millis)
  })

/** Begins to listen; `onNews` is called soon after each event. */
export const followJobs = (onNews: () => void, ended: AbortSignal) => {
  const isLive = signal(false)
  let isGathering = false
  const gather = (): void => {
    if (isGathering) return
    isGathering = true
    setTimeout(() => {
      isGathering = false
      if (!ended.aborted) onNews()
    }, gatherMillis)
  }
  const listen = async (): Promise<void> => {
    while (!ended.aborted) {
      try {
        isLive.value = true
        for await (const _ of api.transcriptions.allEvents({ signal: ended })) gather()
      } catch {
        // Refused, or broken off: what was missed is seen by asking.
        isLive.value = false
        await sleep(againMillis)
      }
    }
  }
  void listen()
  return isLive
}
