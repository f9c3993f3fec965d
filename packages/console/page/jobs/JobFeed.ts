/**
 * Keeps the jobs of a workspace current. Live events carry the engines' progress, and any other
 * event causes the list to be read again. If no events arrive, the list is polled.
 */
import { computed, effect, untracked } from "@preact/signals"
import { api, isAway, sentenceOf } from "../Api.ts"
import { isPiece } from "../job/JobHistory.ts"
import { coalesce, subscribe } from "../Subscription.ts"
import { type Filters, toListOptions } from "./JobFilters.tsx"
import { type JobList, makeList } from "./JobList.ts"
import type { ListedJob } from "./JobTraits.ts"

/** The maximum page size of the API. */
const pageMax = 100

/** The polling interval if no events arrive. */
const pollMillis = 2_000

/** If events arrive, the list is read only on every nth tick, once a minute. */
const slowPollTicks = 30

/** Minimum time between two reads of the list, per page of the list. */
const restMillis = 1_000

/** Applies live events to the list. */
const subscribeToJobs = (list: JobList, ended: AbortSignal) => {
  const refreshSoon = coalesce(() => void list.refresh(), {
    ended,
    restMillis: () => restMillis * list.pageCount()
  })
  let shares = new Map<string, number>()
  const showProgress = coalesce(
    () => {
      list.setProgress(shares)
      shares = new Map()
    },
    { ended }
  )
  const { isLive } = subscribe({
    onEvent: (event) => {
      // A piece changes nothing in the list; `progress` reports it.
      if (event.event === "event" && !isPiece(event.data)) refreshSoon()
      if (event.event === "progress") {
        shares.set(event.data.id, event.data.progress)
        showProgress()
      }
      if (event.event === "deleted") list.markDeleted(event.data.id)
      if (event.event === "reset") void list.refresh()
    },
    ended
  })
  return { isLive, refreshSoon }
}

/** Makes a feed; `end` stops it. */
export const makeJobFeed = (filters: Filters) => {
  const controller = new AbortController()
  const { signal: ended } = controller
  const options = { ...toListOptions(filters), limit: pageMax, signal: ended }
  const list = makeList(
    {
      fetchPage: (cursor) => api.transcriptions.list({ ...options, cursor }),
      fetchByCallbackId: async (callback_id) =>
        (await api.transcriptions.list({ ...options, callback_id })).data
    },
    ended
  )
  const { isLive, refreshSoon } = subscribeToJobs(list, ended)
  let tick = 0
  const timer = setInterval(() => {
    tick += 1
    const isResting = isLive.value && list.fault.value === undefined && tick % slowPollTicks !== 0
    if (!isResting && !isAway.value && !document.hidden) void list.refresh()
  }, pollMillis)
  // The list is refreshed at the start, when the server is back, and when the subscription changes,
  // because earlier events may have been missed.
  const stop = effect(() => {
    void isLive.value
    if (!isAway.value && !document.hidden) untracked(() => void list.refresh())
  })
  return {
    jobs: list.jobs,
    fault: computed(() =>
      list.fault.value === undefined ? undefined : sentenceOf(list.fault.value)
    ),
    isReady: list.isReady,
    readCount: list.readCount,
    changeCount: list.changeCount,
    hasMore: list.hasMore,
    refresh: list.refresh,
    more: list.more,
    /** Shows only jobs with the given text, and looks up a job with exactly this `callback_id`. */
    find: (text: string): void => list.search(text, filters.callback === "" && !isAway.value),
    /** Shows a job as an action returned it. The next read decides whether the job stays listed. */
    put: (job: ListedJob): void => {
      list.put(job)
      refreshSoon()
    },
    end: (): void => {
      controller.abort()
      clearInterval(timer)
      stop()
    }
  }
}

/** A list of jobs that is kept current. */
export type JobFeed = ReturnType<typeof makeJobFeed>
