/**
 * The newest jobs of a workspace, read page by page on demand. A refresh reads the list down to the
 * oldest job already read, so that the list is always as the server returned it.
 */
import { computed, signal } from "@preact/signals"
import { pendingDeletes } from "../ui/PendingDeletes.ts"
import { type ListedJob, matchesText } from "./JobTraits.ts"

type Jobs = ReadonlyArray<ListedJob>

/** The requests to the server. */
export interface Requests {
  readonly fetchPage: (
    cursor?: string
  ) => Promise<{ readonly data: Jobs; readonly next_cursor: string | null }>
  /** Returns the jobs, however old, with exactly this `callback_id`. */
  readonly fetchByCallbackId: (callbackId: string) => Promise<Jobs>
}

/** Number of extra pages that a refresh reads, for jobs created since the last refresh. */
const newPagesMax = 10

/** Ids start with the time when they were made. */
const newestFirst = (one: ListedJob, other: ListedJob): number => (one.id < other.id ? 1 : -1)

const statusesOf = (jobs: Jobs): string => jobs.map(({ id, status }) => id + status).join()

/** Whether a job of the previous list can come after the jobs that were read. */
const isOlder = (id: string, jobs: Jobs): boolean => id !== "" && id < (jobs.at(-1)?.id ?? "")

/**
 * Runs requests one after another. A request that is made several times while it waits runs once.
 */
const makeRequestQueue = <Name extends string>(
  requests: Readonly<Record<Name, () => Promise<void>>>,
  ended: AbortSignal
) => {
  /** The last request's error. */
  const fault = signal<unknown>(undefined)
  /** Whether any request has succeeded. */
  const isReady = signal(false)
  const names = Object.keys(requests) as Array<Name>
  const wanted = new Set<Name>()
  let running: Promise<void> | undefined

  /** A failed request stays queued and runs with the next one. */
  const runAll = async (): Promise<void> => {
    try {
      for (;;) {
        const name = names.find((each) => wanted.has(each))
        if (ended.aborted || name === undefined) break
        wanted.delete(name)
        await requests[name]().catch((cause: unknown) => {
          wanted.add(name)
          throw cause
        })
        isReady.value = true
      }
      fault.value = undefined
    } catch (cause) {
      if (!ended.aborted) fault.value = cause
    }
    running = undefined
  }

  return {
    fault,
    isReady,
    request: (name: Name): Promise<void> => {
      wanted.add(name)
      running ??= runAll()
      return running
    }
  }
}

/** Makes an empty list. Waiting requests run in the order in which they are listed. */
export const makeList = ({ fetchByCallbackId, fetchPage }: Requests, ended: AbortSignal) => {
  const listed = signal<Jobs>([])
  const found = signal<Jobs>([])
  const text = signal("")
  const changeCount = signal(0)
  /** Jobs that are known to be deleted. A response already on its way may still contain them. */
  const deleted = signal<ReadonlySet<string>>(new Set())
  let pageCount = 1
  const nextCursor = signal<string | null>(null)

  const update = (change: (job: ListedJob) => ListedJob): void => {
    listed.value = listed.value.map(change)
    found.value = found.value.map(change)
  }

  const search = async (): Promise<void> => {
    const wanted = text.value.trim()
    // A text that is not a valid `callback_id` finds no job.
    found.value = wanted === "" ? [] : await fetchByCallbackId(wanted).catch(() => [])
  }

  const refresh = async (): Promise<void> => {
    const jobs: Array<ListedJob> = []
    const oldest = listed.value.at(-1)?.id ?? ""
    const pagesMax = pageCount + newPagesMax
    let cursor: string | null = null
    let count = 0
    do {
      const { data, next_cursor } = await fetchPage(cursor ?? undefined)
      jobs.push(...data)
      cursor = next_cursor
      count += 1
    } while (cursor !== null && count < pagesMax && isOlder(oldest, jobs))
    if (statusesOf(jobs) !== statusesOf(listed.value)) changeCount.value += 1
    listed.value = jobs
    nextCursor.value = cursor
    pageCount = count
    if (found.value.length > 0) await search()
  }

  const more = async (): Promise<void> => {
    const { value } = nextCursor
    if (value === null) return
    const { data, next_cursor } = await fetchPage(value)
    listed.value = [...listed.value, ...data]
    nextCursor.value = next_cursor
    pageCount += 1
  }

  const { request, fault, isReady } = makeRequestQueue({ refresh, search, more }, ended)

  return {
    fault,
    isReady,
    /** The shown jobs, newest first. */
    jobs: computed(() =>
      [...new Map([...found.value, ...listed.value].map((job) => [job.id, job])).values()]
        .filter(({ id }) => !(deleted.value.has(id) || pendingDeletes.value.has(id)))
        .filter((job) => matchesText(job, text.value))
        .sort(newestFirst)
    ),
    /** The number of jobs that were read, and whether there are older ones. */
    readCount: computed(() => listed.value.length),
    hasMore: computed(() => nextCursor.value !== null),
    /** The number of refreshes that found another status or another job. */
    changeCount,
    pageCount: () => pageCount,
    refresh: () => request("refresh"),
    more: () => request("more"),
    /** Shows only jobs with the given text; `isExact` also looks up the text as a `callback_id`. */
    search: (wanted: string, isExact: boolean): void => {
      text.value = wanted
      if (isExact) void request("search")
    },
    setProgress: (shares: ReadonlyMap<string, number>): void =>
      update((job) => {
        const progress = job.status === "IN_PROGRESS" ? shares.get(job.id) : undefined
        return progress === undefined ? job : { ...job, progress }
      }),
    /** Shows a job as an action returned it, until the next refresh. */
    put: (job: ListedJob): void =>
      update((each) => (each.id === job.id ? { ...each, ...job } : each)),
    markDeleted: (id: string): void => {
      deleted.value = new Set([...deleted.value, id])
    }
  }
}

/** A list of jobs. */
export type JobList = ReturnType<typeof makeList>
