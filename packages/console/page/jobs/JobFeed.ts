/**
 * The jobs of a workspace as they are now, newest first. The newest page is asked for when
 * something has happened, and so is what is under way and below it; older pages are fetched when
 * they are wanted.
 */
import { computed, effect, signal } from "@preact/signals"
import { api, isAway, isGone, sentenceOf } from "../Api.ts"
import { toListOptions, type Wanted } from "./JobFilters.tsx"
import { followJobs } from "./JobNews.ts"
import { isMeant, isOver, type ListedJob } from "./JobTraits.ts"

/** The most that the API gives at a time. */
const pageMax = 100

/** How soon a change is seen where nobody tells of it, and how far an engine is. */
const pollMillis = 2_000

/** While there is news, a look now and then is enough: every so many of these times. */
const restfulTurns = 10

/** More than that in the older pages are not followed: they are seen when they are opened. */
const movingMax = 20

/** Makes a feed; `end` stops it. */
export const makeFeed = (wanted: Wanted) => {
  const options = toListOptions(wanted)
  const known = signal<ReadonlyMap<string, ListedJob>>(new Map())
  const hidden = signal<ReadonlySet<string>>(new Set())
  const fault = signal<string | undefined>(undefined)
  const isReady = signal(false)
  const cursor = signal<string | null>(null)
  const search = signal("")
  const controller = new AbortController()
  const { signal: ended } = controller
  let isFetching = false
  let isMoreWanted = false
  let isNewsWaiting = false

  const jobs = computed(() =>
    [...known.value.values()]
      .filter((job) => !hidden.value.has(job.id) && isMeant(job, search.value))
      .sort((one, other) => (one.id < other.id ? 1 : -1))
  )

  const add = (page: ReadonlyArray<ListedJob>): void => {
    const next = new Map(known.value)
    for (const job of page) next.set(job.id, job)
    known.value = next
  }

  const remove = (ids: ReadonlyArray<string>): void => {
    if (ids.length === 0) return
    const rest = new Map(known.value)
    for (const id of ids) rest.delete(id)
    known.value = rest
  }

  const ask = (from?: string) =>
    api.transcriptions.list({ ...options, limit: pageMax, cursor: from, signal: ended })

  /** What the newest page should hold and does not is gone, or has another status now. */
  const refresh = async (): Promise<void> => {
    const { data, next_cursor } = await ask()
    const oldest = next_cursor === null ? "" : (data.at(-1)?.id ?? "")
    const listed = new Set(data.map(({ id }) => id))
    remove([...known.value.keys()].filter((id) => id >= oldest && !listed.has(id)))
    add(data)
    if (!isReady.value) cursor.value = next_cursor
    await refreshOlder(oldest)
  }

  /** Those below the newest page that may still change. */
  const refreshOlder = async (oldest: string): Promise<void> => {
    const moving = [...known.value.values()].filter((job) => job.id < oldest && !isOver(job))
    for (const { id } of moving.slice(0, movingMax)) {
      try {
        const { output: _, ...job } = await api.transcriptions.get(id, { signal: ended })
        add([job])
      } catch (cause) {
        if (!isGone(cause)) throw cause
        remove([id])
      }
    }
  }

  const run = async (task: () => Promise<void>): Promise<void> => {
    if (isFetching || ended.aborted) return
    isFetching = true
    try {
      await task()
      fault.value = undefined
      isReady.value = true
    } catch (cause) {
      if (!ended.aborted) fault.value = sentenceOf(cause)
    }
    isFetching = false
    if (isNewsWaiting) look()
    else if (isMoreWanted) more()
  }

  /** Fetches the next older page, where there is one; after what is under way. */
  const more = (): void => {
    isMoreWanted = isFetching
    const from = cursor.value
    if (isFetching || from === null || !isReady.value) return
    void run(async () => {
      const { data, next_cursor } = await ask(from)
      add(data)
      cursor.value = next_cursor
    })
  }

  /** Asks for what is new; again where that is asked for at this moment. */
  const look = (): void => {
    isNewsWaiting = isFetching
    void run(refresh)
  }
  const isLive = followJobs(look, ended)
  let turn = 0
  const poll = (): void => {
    turn += 1
    const isMoving = jobs.value.some(({ status }) => status === "IN_PROGRESS")
    const isResting = isLive.value && !isMoving && turn % restfulTurns !== 0
    if (!isResting && !isAway.value && !document.hidden) look()
  }
  const timer = setInterval(poll, pollMillis)
  // At once when the server is back.
  const stop = effect(() => {
    if (!isAway.value) void run(refresh)
  })

  return {
    jobs,
    fault,
    isReady,
    refresh: () => run(refresh),
    more,
    /** Shows those with that text alone; one with that very `callback_id` is fetched. */
    find: (text: string): void => {
      search.value = text
      const callbackId = text.trim()
      if (callbackId === "" || wanted.callback !== "" || isAway.value) return
      api.transcriptions
        .list({ ...options, callbackId, limit: pageMax, signal: ended })
        // What nobody can be called finds nothing: what is here is still looked through.
        .then(({ data }) => add(data))
        .catch(() => undefined)
    },
    put: (job: ListedJob) => add([job]),
    hide: (id: string) => {
      hidden.value = new Set([...hidden.value, id])
    },
    show: (id: string) => {
      hidden.value = new Set([...hidden.value].filter((each) => each !== id))
    },
    end: () => {
      controller.abort()
      clearInterval(timer)
      stop()
    }
  }
}

/** The jobs as they are now. */
export type Feed = ReturnType<typeof makeFeed>
