/**
 * The jobs of a workspace as they are now, newest first. How far an engine is, is told; where
 * something else has happened, the list is looked at. What nobody has scrolled to is fetched when
 * it is wanted.
 */
import { effect, signal, untracked } from "@preact/signals"
import { api, isAway, isGone, sentenceOf } from "../Api.ts"
import { gather } from "../Listening.ts"
import { toListOptions, type Wanted } from "./JobFilters.tsx"
import { makeLooks } from "./JobLooks.ts"
import { followJobs } from "./JobNews.ts"
import type { PageStart } from "./JobPages.ts"
import { isListed, isOver, type ListedJob } from "./JobTraits.ts"
import { makeKnown } from "./KnownJobs.ts"

/** The most that the API gives at a time. */
const pageMax = 100

/** How soon a change is seen where nobody tells of it. */
const pollMillis = 2_000

/** While there is news, a look each minute is enough: every so many of these times. */
const restfulTurns = 30

/** Between two looks at what has changed, however much happens. */
const restMillis = 1_000

/** What a list is asked. */
const makeQuestions = (wanted: Wanted, signal: AbortSignal) => {
  const options = { ...toListOptions(wanted), limit: pageMax, signal }
  return {
    askPage: (start?: PageStart) => api.transcriptions.list({ ...options, cursor: start?.cursor }),
    askCalled: (callbackId: string) => api.transcriptions.list({ ...options, callbackId }),
    askJob: async (id: string): Promise<ListedJob | undefined> => {
      try {
        const { output: _, ...job } = await api.transcriptions.get(id, { signal })
        return isListed(job, wanted) ? job : undefined
      } catch (cause) {
        if (isGone(cause)) return undefined
        throw cause
      }
    }
  }
}

/** Makes a feed; `end` stops it. */
export const makeFeed = (wanted: Wanted) => {
  const fault = signal<string | undefined>(undefined)
  const isReady = signal(false)
  const controller = new AbortController()
  const { signal: ended } = controller
  const questions = makeQuestions(wanted, ended)
  const known = makeKnown()
  const looks = makeLooks(known, questions)
  let isFetching = false
  let isMoreWanted = false
  let isNewsWaiting = false

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

  const refresh = (): Promise<void> =>
    run(async () => {
      if (await looks.look()) lookSoon()
    })

  /** Fetches the next older page, where there is one; after what is under way. */
  const more = (): void => {
    isMoreWanted = isFetching
    const readOn = looks.readOn()
    if (readOn !== undefined) void run(readOn)
  }

  /** Asks for what is new; again where that is asked for at this moment. */
  const look = (): void => {
    isNewsWaiting = isFetching
    void refresh()
  }

  const lookSoon = gather(look, { ended, restMillis })

  /** Anything may have happened to what is not over. */
  const lookAtAll = (): void => {
    looks.note([...known.all().values()].filter((job) => !isOver(job)).map(({ id }) => id))
    look()
  }

  const isLive = followJobs(
    {
      onChanged: (id) => {
        looks.note([id])
        lookSoon()
      },
      onProgress: known.advance,
      onDeleted: known.forget,
      onMissed: lookAtAll,
      onReset: () => {
        looks.reset()
        look()
      }
    },
    ended
  )
  let turn = 0
  const poll = (): void => {
    turn += 1
    const isTold = isLive.value && fault.value === undefined
    const isResting = isTold && turn % restfulTurns !== 0
    if (!isResting && !isAway.value && !document.hidden) lookAtAll()
  }
  const timer = setInterval(poll, pollMillis)
  // At once when the server is back.
  const stop = effect(() => {
    if (!isAway.value) untracked(lookAtAll)
  })

  return {
    jobs: known.jobs,
    fault,
    isReady,
    refresh,
    more,
    /** Shows those with that text alone; one with that very `callback_id` is fetched. */
    find: (text: string): void => {
      known.look(text)
      const callbackId = text.trim()
      if (callbackId === "" || wanted.callback !== "" || isAway.value) return
      looks
        .search(() => questions.askCalled(callbackId))
        .then((isMore) => {
          if (isMore) lookSoon()
        })
        // What nobody can be called finds nothing: what is here is still looked through.
        .catch(() => undefined)
    },
    /** Shows a job as it is now; whether the list still has it, the next look tells. */
    put: (job: ListedJob): void => {
      known.add([job])
      looks.note([job.id])
      lookSoon()
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
