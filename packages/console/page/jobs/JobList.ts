/**
 * The newest jobs of a workspace, page by page as they are wanted. A look reads the list again,
 * down to the oldest job that was read before, so it is always one that the server gave.
 */
import { computed, signal } from "@preact/signals"
import { leaving } from "../ui/Leaving.ts"
import { isMeant, type ListedJob } from "./JobTraits.ts"

type Jobs = ReadonlyArray<ListedJob>

/** What is asked of the server. */
export interface Questions {
  readonly askPage: (
    cursor?: string
  ) => Promise<{ readonly data: Jobs; readonly next_cursor: string | null }>
  /** Jobs with exactly this `callback_id`, however old they are. */
  readonly askCalled: (callbackId: string) => Promise<Jobs>
}

/** Pages that one look reads beyond those of the last one, for jobs that came meanwhile. */
const newPagesMax = 10

/** Ids begin with their time. */
const newestFirst = (one: ListedJob, other: ListedJob): number => (one.id < other.id ? 1 : -1)

/** Whether a job of an earlier look may come after those that were read. */
const isBelow = (id: string, jobs: Jobs): boolean => id !== "" && id < (jobs.at(-1)?.id ?? "")

/** Makes a list that has asked for nothing yet. It asks one question after another. */
export const makeList = ({ askCalled, askPage }: Questions, ended: AbortSignal) => {
  const listed = signal<Jobs>([])
  const found = signal<Jobs>([])
  const text = signal("")
  const fault = signal<unknown>(undefined)
  const isReady = signal(false)
  /** Jobs that are known to be deleted: an answer that was on its way may still have them. */
  const gone = signal<ReadonlySet<string>>(new Set())
  let pageCount = 1
  let nextCursor: string | null = null
  let asking: Promise<void> | undefined
  const isOwed = { look: false, search: false, more: false }

  const revise = (change: (job: ListedJob) => ListedJob): void => {
    listed.value = listed.value.map(change)
    found.value = found.value.map(change)
  }

  const search = async (): Promise<void> => {
    const wanted = text.value.trim()
    // A text that no `callback_id` can be finds nothing.
    found.value = wanted === "" ? [] : await askCalled(wanted).catch(() => [])
    isOwed.search = wanted !== text.value.trim()
  }

  const look = async (): Promise<void> => {
    isOwed.look = false
    const jobs: Array<ListedJob> = []
    const oldest = listed.value.at(-1)?.id ?? ""
    const pagesMax = pageCount + newPagesMax
    let cursor: string | null = null
    let count = 0
    do {
      const { data, next_cursor } = await askPage(cursor ?? undefined)
      jobs.push(...data)
      cursor = next_cursor
      count += 1
    } while (cursor !== null && count < pagesMax && isBelow(oldest, jobs))
    listed.value = jobs
    nextCursor = cursor
    pageCount = count
    if (found.value.length > 0) await search()
  }

  const readOn = async (): Promise<void> => {
    if (nextCursor !== null) {
      const { data, next_cursor } = await askPage(nextCursor)
      listed.value = [...listed.value, ...data]
      nextCursor = next_cursor
      pageCount += 1
    }
    isOwed.more = false
  }

  /** Asks whatever is owed. An older page that failed stays owed until the next look. */
  const askAll = async (): Promise<void> => {
    try {
      while (!ended.aborted && (isOwed.look || isOwed.search || isOwed.more)) {
        if (isOwed.look) await look()
        else if (isOwed.search) await search()
        else await readOn()
        isReady.value = true
      }
      fault.value = undefined
    } catch (cause) {
      if (!ended.aborted) fault.value = cause
    }
    asking = undefined
  }

  const owe = (part: keyof typeof isOwed) => (): Promise<void> => {
    isOwed[part] = true
    asking ??= askAll()
    return asking
  }

  return {
    /** What the last question failed with. */
    fault,
    /** Whether the first page has come. */
    isReady,
    /** What is shown, newest first. */
    jobs: computed(() =>
      [...new Map([...found.value, ...listed.value].map((job) => [job.id, job])).values()]
        .filter(({ id }) => !(gone.value.has(id) || leaving.value.has(id)))
        .filter((job) => isMeant(job, text.value))
        .sort(newestFirst)
    ),
    pageCount: () => pageCount,
    look: owe("look"),
    more: owe("more"),
    /** Shows only jobs with this text, and any job whose `callback_id` it is. */
    search: (wanted: string, isCalled: boolean): void => {
      text.value = wanted
      if (isCalled) void owe("search")()
    },
    advance: (shares: ReadonlyMap<string, number>): void =>
      revise((job) => {
        const progress = job.status === "IN_PROGRESS" ? shares.get(job.id) : undefined
        return progress === undefined ? job : { ...job, progress }
      }),
    /** Shows a job as it is now, until the next look. */
    put: (job: ListedJob): void =>
      revise((each) => (each.id === job.id ? { ...each, ...job } : each)),
    forget: (id: string): void => {
      gone.value = new Set([...gone.value, id])
    }
  }
}

/** A list of jobs. */
export type JobList = ReturnType<typeof makeList>
