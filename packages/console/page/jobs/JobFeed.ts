/**
 * The jobs of a workspace as they are now. The server tells how far an engine is, and when
 * something else happened, for which the list is looked at. Without events it is looked at again
 * and again.
 */
import { computed, effect, untracked } from "@preact/signals"
import { api, isAway, sentenceOf } from "../Api.ts"
import { gather, listen } from "../Listening.ts"
import { toListOptions, type Wanted } from "./JobFilters.tsx"
import { type JobList, makeList } from "./JobList.ts"
import type { ListedJob } from "./JobTraits.ts"

/** The most that the API gives at a time. */
const pageMax = 100

/** How soon a change is seen without events. */
const pollMillis = 2_000

/** With events, a look each minute is enough: every so many of these times. */
const restfulTurns = 30

/** Between two looks for each page of the list, however much happens. */
const restMillis = 1_000

/** Hears what happens to jobs. */
const hear = (list: JobList, ended: AbortSignal) => {
  const lookSoon = gather(() => void list.look(), {
    ended,
    restMillis: () => restMillis * list.pageCount()
  })
  let shares = new Map<string, number>()
  const showProgress = gather(
    () => {
      list.advance(shares)
      shares = new Map()
    },
    { ended }
  )
  const { isLive } = listen({
    events: (workspace, options) => workspace.transcriptions.allEvents(options),
    onEvent: (told) => {
      if (told.event === "event") lookSoon()
      if (told.event === "progress") {
        shares.set(told.data.id, told.data.progress)
        showProgress()
      }
      if (told.event === "deleted") list.forget(told.data.id)
      if (told.event === "reset") void list.look()
    },
    ended
  })
  return { isLive, lookSoon }
}

/** Makes a feed; `end` stops it. */
export const makeFeed = (wanted: Wanted) => {
  const controller = new AbortController()
  const { signal: ended } = controller
  const options = { ...toListOptions(wanted), limit: pageMax, signal: ended }
  const list = makeList(
    {
      askPage: (cursor) => api.transcriptions.list({ ...options, cursor }),
      askCalled: async (callback_id) =>
        (await api.transcriptions.list({ ...options, callback_id })).data
    },
    ended
  )
  const { isLive, lookSoon } = hear(list, ended)
  let turn = 0
  const timer = setInterval(() => {
    turn += 1
    const isResting = isLive.value && list.fault.value === undefined && turn % restfulTurns !== 0
    if (!isResting && !isAway.value && !document.hidden) void list.look()
  }, pollMillis)
  // At first, when the server is back, and for what happened before it could be heard.
  const stop = effect(() => {
    void isLive.value
    if (!isAway.value) untracked(() => void list.look())
  })
  return {
    jobs: list.jobs,
    fault: computed(() =>
      list.fault.value === undefined ? undefined : sentenceOf(list.fault.value)
    ),
    isReady: list.isReady,
    refresh: list.look,
    more: list.more,
    /** Shows only jobs with this text; one whose whole `callback_id` it is, is fetched. */
    find: (text: string): void => list.search(text, wanted.callback === "" && !isAway.value),
    /** Shows a job as it is now; whether the list still has it, the next look tells. */
    put: (job: ListedJob): void => {
      list.put(job)
      lookSoon()
    },
    end: (): void => {
      controller.abort()
      clearInterval(timer)
      stop()
    }
  }
}

/** The jobs as they are now. */
export type Feed = ReturnType<typeof makeFeed>
