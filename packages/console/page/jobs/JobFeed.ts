/**
 * The jobs of a workspace as they are now, newest first. How far an engine is, is told; where
 * something else has happened, the list is looked at. What nobody has scrolled to is fetched when
 * it is wanted.
 */
import { effect, untracked } from "@preact/signals"
import { api, isAway, isGone } from "../Api.ts"
import { toListOptions, type Wanted } from "./JobFilters.tsx"
import { type Looks, makeLooks } from "./JobLooks.ts"
import { followJobs } from "./JobNews.ts"
import type { PageStart } from "./JobPages.ts"
import { isListed, isOver, type ListedJob } from "./JobTraits.ts"
import { makeTurns, type Turns } from "./JobTurns.ts"
import { type Known, makeKnown } from "./KnownJobs.ts"

/** The most that the API gives at a time. */
const pageMax = 100

/** How soon a change is seen where nobody tells of it. */
const pollMillis = 2_000

/** While there is news, a look each minute is enough: every so many of these times. */
const restfulTurns = 30

/** What a list is asked. */
const makeQuestions = (wanted: Wanted, signal: AbortSignal) => {
  const options = { ...toListOptions(wanted), limit: pageMax, signal }
  return {
    askPage: (start?: PageStart) => api.transcriptions.list({ ...options, cursor: start?.cursor }),
    askCalled: (callback_id: string) => api.transcriptions.list({ ...options, callback_id }),
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

interface Following {
  readonly known: Known
  readonly looks: Looks
  readonly turns: Turns
  readonly ended: AbortSignal
}

/** Looks whenever something happened, or may have. */
const follow = ({ ended, known, looks, turns }: Following): void => {
  /** Anything may have happened to what is not over. */
  const lookAtAll = (): void => {
    looks.note([...known.all().values()].filter((job) => !isOver(job)).map(({ id }) => id))
    turns.look()
  }
  const isLive = followJobs(
    {
      onChanged: (id) => {
        looks.note([id])
        turns.lookSoon()
      },
      onProgress: known.advance,
      onDeleted: known.forget,
      onMissed: lookAtAll,
      onReset: () => {
        looks.reset()
        turns.look()
      }
    },
    ended
  )
  let turn = 0
  const poll = (): void => {
    turn += 1
    const isTold = isLive.value && turns.fault.value === undefined
    const isResting = isTold && turn % restfulTurns !== 0
    if (!isResting && !isAway.value && !document.hidden) lookAtAll()
  }
  const timer = setInterval(poll, pollMillis)
  // At once when the server is back.
  const stop = effect(() => {
    if (!isAway.value) untracked(lookAtAll)
  })
  ended.addEventListener("abort", () => {
    clearInterval(timer)
    stop()
  })
}

/** Makes a feed; `end` stops it. */
export const makeFeed = (wanted: Wanted) => {
  const controller = new AbortController()
  const { signal: ended } = controller
  const questions = makeQuestions(wanted, ended)
  const known = makeKnown()
  const looks = makeLooks(known, questions)
  const turns = makeTurns(looks, ended)
  follow({ ended, known, looks, turns })
  return {
    jobs: known.jobs,
    fault: turns.fault,
    isReady: turns.isReady,
    refresh: turns.refresh,
    more: turns.more,
    /** Shows those with that text alone; one with that very `callback_id` is fetched. */
    find: (text: string): void => {
      known.search(text)
      const callbackId = text.trim()
      if (callbackId === "" || wanted.callback !== "" || isAway.value) return
      looks
        .search(() => questions.askCalled(callbackId))
        .then((isMore) => {
          if (isMore) turns.lookSoon()
        })
        // What nobody can be called finds nothing: what is here is still looked through.
        .catch(() => undefined)
    },
    /** Shows a job as it is now; whether the list still has it, the next look tells. */
    put: (job: ListedJob): void => {
      known.add([job])
      looks.note([job.id])
      turns.lookSoon()
    },
    end: () => controller.abort()
  }
}

/** The jobs as they are now. */
export type Feed = ReturnType<typeof makeFeed>
