/** The presets of a workspace, page by page as they are wanted, the last updated first. */
import { effect, signal } from "@preact/signals"
import { api, isAway, sentenceOf } from "../Api.ts"
import type { ListedPreset } from "./PresetTraits.ts"

/** What is shown of the list. */
export interface Wanted {
  readonly status: ListedPreset["status"] | undefined
  readonly label: string
  readonly text: string
}

/** The most that the API gives at a time. */
const pageMax = 100

/** Makes the feed. */
export const makePresetFeed = ({ label, status, text }: Wanted) => {
  const presets = signal<ReadonlyArray<ListedPreset>>([])
  const total = signal<number | undefined>(undefined)
  const fault = signal<string | undefined>(undefined)
  const controller = new AbortController()
  const { signal: ended } = controller
  let isFetching = false
  /** Where the page begins that failed. */
  let failedFrom = 0

  const fetchFrom = async (offset: number): Promise<void> => {
    if (isFetching) return
    isFetching = true
    try {
      const page = await api.presets.list({
        offset,
        limit: pageMax,
        status,
        signal: ended,
        ...(label === "" ? {} : { label }),
        ...(text === "" ? {} : { text })
      })
      const known = offset === 0 ? [] : presets.value
      const ids = new Set(known.map(({ id }) => id))
      presets.value = [...known, ...page.data.filter(({ id }) => !ids.has(id))]
      total.value = page.total_count
      fault.value = undefined
    } catch (cause) {
      failedFrom = offset
      if (!ended.aborted) fault.value = sentenceOf(cause)
    }
    isFetching = false
  }
  const again = () => fetchFrom(failedFrom)
  void fetchFrom(0)
  const stop = effect(() => {
    if (!isAway.value && fault.peek() !== undefined) void again()
  })

  return {
    presets,
    total,
    fault,
    /** Asks for what failed. */
    again,
    more: (): void => {
      if (presets.value.length < (total.value ?? 0)) void fetchFrom(presets.value.length)
    },
    end: (): void => {
      controller.abort()
      stop()
    }
  }
}

/** The presets that are wanted. */
export type PresetFeed = ReturnType<typeof makePresetFeed>
