/** A list asks one thing after another: what is new goes before what is older. */
import { signal } from "@preact/signals"
import { sentenceOf } from "../Api.ts"
import { gather } from "../Listening.ts"
import type { Looks } from "./JobLooks.ts"

/** Between two looks at what has changed, however much happens. */
const restMillis = 1_000

/** Nothing was asked for yet. */
export const makeTurns = (looks: Looks, ended: AbortSignal) => {
  const fault = signal<string | undefined>(undefined)
  const isReady = signal(false)
  let isFetching = false
  let isMoreWanted = false
  let isMoreOwed = false
  let isNewsWaiting = false

  const run = async (task: () => Promise<void>): Promise<void> => {
    if (isFetching || ended.aborted) return
    isFetching = true
    try {
      await task()
      if (!isMoreOwed) fault.value = undefined
      isReady.value = true
    } catch (cause) {
      if (!ended.aborted) fault.value = sentenceOf(cause)
    }
    isFetching = false
    if (isNewsWaiting) look()
    else if (isMoreWanted) more()
  }

  /** An older page that failed is asked for again once the server answers. */
  const refresh = (): Promise<void> =>
    run(async () => {
      if (await looks.look()) lookSoon()
      isMoreWanted ||= isMoreOwed
    })

  /** Fetches the next older page, where there is one; after what is under way. */
  const more = (): void => {
    isMoreWanted = isFetching
    const readOn = looks.readOn()
    if (readOn === undefined) {
      isMoreOwed = false
      return
    }
    void run(async () => {
      isMoreOwed = true
      await readOn()
      isMoreOwed = false
    })
  }

  /** Asks for what is new; again where that is asked for at this moment. */
  const look = (): void => {
    isNewsWaiting = isFetching
    void refresh()
  }

  const lookSoon = gather(look, { ended, restMillis })

  return { fault, isReady, look, lookSoon, more, refresh }
}

/** The turns of a list. */
export type Turns = ReturnType<typeof makeTurns>
