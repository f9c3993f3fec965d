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

/** Questions that are asked one after another, each once however often it was wanted meanwhile. */
const makeQueue = <Name extends string>(
  questions: Readonly<Record<Name, () => Promise<void>>>,
  ended: AbortSignal
) => {
  /** What the last question failed with. */
  const fault = signal<unknown>(undefined)
  /** Whether any was answered. */
  const isReady = signal(false)
  const names = Object.keys(questions) as Array<Name>
  const wanted = new Set<Name>()
  let asking: Promise<void> | undefined

  /** One that failed stays wanted until the next is. */
  const askAll = async (): Promise<void> => {
    try {
      for (;;) {
        const name = names.find((each) => wanted.has(each))
        if (ended.aborted || name === undefined) break
        wanted.delete(name)
        await questions[name]().catch((cause: unknown) => {
          wanted.add(name)
          throw cause
        })
        isReady.value = true
      }
      fault.value = undefined
    } catch (cause) {
      if (!ended.aborted) fault.value = cause
    }
    asking = undefined
  }

  return {
    fault,
    isReady,
    ask: (name: Name): Promise<void> => {
      wanted.add(name)
      asking ??= askAll()
      return asking
    }
  }
}

/** Makes a list that has asked for nothing yet. The first of its questions go before the others. */
export const makeList = ({ askCalled, askPage }: Questions, ended: AbortSignal) => {
  const listed = signal<Jobs>([])
  const found = signal<Jobs>([])
  const text = signal("")
  /** Jobs that are known to be deleted: an answer that was on its way may still have them. */
  const gone = signal<ReadonlySet<string>>(new Set())
  let pageCount = 1
  let nextCursor: string | null = null

  const revise = (change: (job: ListedJob) => ListedJob): void => {
    listed.value = listed.value.map(change)
    found.value = found.value.map(change)
  }

  const search = async (): Promise<void> => {
    const wanted = text.value.trim()
    // A text that no `callback_id` can be finds nothing.
    found.value = wanted === "" ? [] : await askCalled(wanted).catch(() => [])
  }

  const look = async (): Promise<void> => {
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

  const more = async (): Promise<void> => {
    if (nextCursor === null) return
    const { data, next_cursor } = await askPage(nextCursor)
    listed.value = [...listed.value, ...data]
    nextCursor = next_cursor
    pageCount += 1
  }

  const { ask, fault, isReady } = makeQueue({ look, search, more }, ended)

  return {
    fault,
    isReady,
    /** What is shown, newest first. */
    jobs: computed(() =>
      [...new Map([...found.value, ...listed.value].map((job) => [job.id, job])).values()]
        .filter(({ id }) => !(gone.value.has(id) || leaving.value.has(id)))
        .filter((job) => isMeant(job, text.value))
        .sort(newestFirst)
    ),
    pageCount: () => pageCount,
    look: () => ask("look"),
    more: () => ask("more"),
    /** Shows only jobs with this text, and any job whose `callback_id` it is. */
    search: (wanted: string, isCalled: boolean): void => {
      text.value = wanted
      if (isCalled) void ask("search")
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
