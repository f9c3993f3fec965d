/** The jobs of a list that are known here, newest first, without those that are hidden. */
import { computed, signal } from "@preact/signals"
import { isMeant, type ListedJob } from "./JobTraits.ts"

/** Ids begin with their time: newer jobs have higher ones. */
export const newestFirst = (one: string, other: string): number => (one < other ? 1 : -1)

/** No jobs yet. */
export const makeKnown = () => {
  const known = signal<ReadonlyMap<string, ListedJob>>(new Map())
  const hidden = signal<ReadonlySet<string>>(new Set())
  const search = signal("")
  /** They were deleted while an answer was on its way that may still hold them. */
  const deleted = new Set<string>()
  let askedCount = 0

  const add = (jobs: ReadonlyArray<ListedJob>): void => {
    if (jobs.length === 0) return
    const next = new Map(known.value)
    for (const job of jobs) if (!deleted.has(job.id)) next.set(job.id, job)
    known.value = next
  }

  const remove = (ids: ReadonlyArray<string>): void => {
    if (!ids.some((id) => known.value.has(id))) return
    const rest = new Map(known.value)
    for (const id of ids) rest.delete(id)
    known.value = rest
  }

  return {
    /** What is shown. */
    jobs: computed(() =>
      [...known.value.values()]
        .filter((job) => !hidden.value.has(job.id) && isMeant(job, search.value))
        .sort((one, other) => newestFirst(one.id, other.id))
    ),
    all: () => known.value,
    add,
    remove,
    /** How far the engine is. Of a job that has begun since, the next look tells. */
    advance: (shares: ReadonlyMap<string, number>): void =>
      add(
        Array.from(shares).flatMap(([id, progress]) => {
          const job = known.value.get(id)
          const isFurther = job?.status === "IN_PROGRESS" && job.progress !== progress
          return isFurther ? [{ ...job, progress }] : []
        })
      ),
    /** Whatever answers that were asked for before say of it. */
    forget: (id: string): void => {
      deleted.add(id)
      remove([id])
    },
    /** Something is asked for: its answer knows what was deleted before, and so do later ones. */
    noteAsking: (): void => {
      if (askedCount === 0) deleted.clear()
      askedCount += 1
    },
    /** It was answered, or never will be. */
    noteAnswered: (): void => {
      askedCount -= 1
    },
    look: (text: string): void => {
      search.value = text
    },
    hide: (id: string): void => {
      hidden.value = new Set([...hidden.value, id])
    },
    show: (id: string): void => {
      hidden.value = new Set([...hidden.value].filter((each) => each !== id))
    }
  }
}

/** Jobs that are known. */
export type Known = ReturnType<typeof makeKnown>
