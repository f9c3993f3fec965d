/** Keeps a list of jobs current. Live events bring progress, or cause the list to be reread. */
import { computed, signal } from "@preact/signals"
import { isPiece } from "../job/JobHistory.ts"
import { coalesce, keepCurrent, subscribe } from "../Subscription.ts"
import { deletedItems } from "../ui/Deferred.ts"
import { makePages, makeSource } from "../ui/Loaded.tsx"
import { toPage } from "../ui/Pages.ts"
import { type Filters, listJobs, pageMax } from "./JobFilters.tsx"
import { isReadAgain, type ListedJob, matchesText, newestFirst } from "./JobTraits.ts"

/** Minimum time between two reads of the list, per page in the list. */
const restMillis = 1_000

const makeLists = (filters: Filters) => {
  const text = signal("")
  const list = makePages(
    async (cursor: string | undefined, signal) =>
      toPage(await listJobs(filters, { cursor, signal })),
    isReadAgain
  )
  const found = makeSource(async (signal): Promise<ReadonlyArray<ListedJob>> => {
    const callback_id = text.peek()
    if (callback_id === "" || filters.callback !== "") return []
    return (await listJobs(filters, { callback_id, signal })).data
  })
  const update = (change: (job: ListedJob) => ListedJob): void => {
    const { value } = list.state.peek()
    if (value !== undefined) list.put({ ...value, items: value.items.map(change) })
  }
  return { text, list, found, update }
}

type FollowOptions = Readonly<{ isAll: boolean; onChange: () => void }>
const followJobs = (
  { found, list, update }: ReturnType<typeof makeLists>,
  { isAll, onChange }: FollowOptions
): void => {
  const { ended } = list
  const count = (): number => list.state.peek().value?.items.length ?? 0
  const rest = (): number => restMillis * Math.ceil(count() / pageMax)
  const refreshSoon: () => void = coalesce({ ended, restMillis: rest }, () => {
    // Events can arrive faster than a list can be read, so a running read continues.
    if (list.state.peek().isLoading) return refreshSoon()
    for (const each of [list, found]) void each.reload()
    onChange()
  })
  const shares = new Map<string, number>()
  const showProgress = coalesce({ ended }, () => {
    update((job) => {
      const progress = job.status === "IN_PROGRESS" ? shares.get(job.id) : undefined
      return progress === undefined ? job : { ...job, progress }
    })
    shares.clear()
  })
  const onEvent: Parameters<typeof subscribe>[0]["onEvent"] = (event) => {
    if (event.event === "progress") {
      shares.set(event.data.id, event.data.progress)
      showProgress()
      // An event about a piece changes nothing, because `progress` events also report pieces.
    } else if (event.event !== "event" || !isPiece(event.data)) refreshSoon()
  }
  // Events belong to one workspace. A live source is polled once a minute.
  const isLive = isAll ? signal(true) : subscribe({ onEvent, ended }).isLive
  keepCurrent(list, { isLive, ended })
}

type Counts = Readonly<Record<"count" | "countSoon", () => unknown>>
export const makeJobFeed = (filters: Filters, counts: Counts) => {
  const lists = makeLists(filters)
  const { found, list, text } = lists
  followJobs(lists, { isAll: filters.isAll, onChange: counts.countSoon })
  const items = computed(() => list.state.value.value?.items ?? [])
  return {
    filters,
    /** Whether the list shows only jobs with a text in their names, which the API cannot filter. */
    hasText: () => text.value !== "",
    jobs: computed(() => {
      const all = [...(found.state.value.value ?? []), ...items.value]
      return [...new Map(all.map((job) => [job.id, job])).values()]
        .filter((job) => !deletedItems.value.has(job.id) && matchesText(job, text.value))
        .sort(newestFirst)
    }),
    fault: computed(() => list.state.value.fault),
    isReady: computed(() => list.state.value.value !== undefined),
    readCount: computed(() => items.value.length),
    hasMore: computed(() => (list.state.value.value?.next ?? null) !== null),
    /** A number that changes whenever a new job is listed or a job's status changes. */
    statuses: computed(() => items.value.map(({ id, status }) => id + status).join()),
    refresh: (): Promise<void> => {
      void counts.count()
      return list.reload()
    },
    again: list.again,
    more: list.more,
    /** Also looks up a job with exactly this `callback_id`. */
    find: (wanted: string): void => {
      text.value = wanted.trim()
      void found.reload()
    },
    end: (): void => {
      for (const each of [list, found]) each.end()
    }
  }
}

export type JobFeed = ReturnType<typeof makeJobFeed>
