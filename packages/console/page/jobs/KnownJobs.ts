/** The jobs of a list that are known here, newest first, without those that go in a moment. */
import { computed, signal } from "@preact/signals"
import { leaving } from "../ui/Leaving.ts"
import { isMeant, type ListedJob } from "./JobTraits.ts"

/** Ids begin with their time: newer jobs have higher ones. */
export const newestFirst = (one: string, other: string): number => (one < other ? 1 : -1)

/**
 * No jobs yet. Questions are numbered as they are asked: what an answer says of a job counts unless
 * a later question was answered before, or the job was deleted meanwhile.
 */
export const makeKnown = () => {
  const known = signal<ReadonlyMap<string, ListedJob>>(new Map())
  const wanted = signal("")
  /** The question whose answer told of a job last, for as long as an earlier one is open. */
  const toldBy = new Map<string, number>()
  const open = new Set<number>()
  let count = 0

  /** What there is to say of a job now, nobody has to be asked for. */
  const next = (): number => {
    count += 1
    return count
  }

  const isNews = (id: string, question: number): boolean => (toldBy.get(id) ?? 0) <= question

  const put = (jobs: ReadonlyArray<ListedJob>): void => {
    if (jobs.length === 0) return
    const all = new Map(known.value)
    for (const job of jobs) all.set(job.id, job)
    known.value = all
  }

  const add = (jobs: ReadonlyArray<ListedJob>, question: number = next()): void => {
    const news = jobs.filter(({ id }) => isNews(id, question))
    for (const { id } of news) toldBy.set(id, question)
    put(news)
  }

  const remove = (ids: ReadonlyArray<string>, question: number = next()): void => {
    const news = ids.filter((id) => isNews(id, question))
    for (const id of news) toldBy.set(id, question)
    if (!news.some((id) => known.value.has(id))) return
    const rest = new Map(known.value)
    for (const id of news) rest.delete(id)
    known.value = rest
  }

  return {
    /** What is shown. */
    jobs: computed(() =>
      [...known.value.values()]
        .filter((job) => !leaving.value.has(job.id) && isMeant(job, wanted.value))
        .sort((one, other) => newestFirst(one.id, other.id))
    ),
    all: () => known.value,
    /** Notes a question; it is open until it is said to be closed. */
    ask: (): number => {
      open.add(next())
      return count
    },
    /** It was answered, or never will be. */
    close: (question: number): void => {
      open.delete(question)
      if (open.size === 0) toldBy.clear()
    },
    add,
    remove,
    /** How far the engine is. Of a job that has begun since, the next look tells. */
    advance: (shares: ReadonlyMap<string, number>): void =>
      put(
        Array.from(shares).flatMap(([id, progress]) => {
          const job = known.value.get(id)
          const isFurther = job?.status === "IN_PROGRESS" && job.progress !== progress
          return isFurther ? [{ ...job, progress }] : []
        })
      ),
    /** It was deleted, whatever answers say of it that were asked for before. */
    forget: (id: string): void => remove([id]),
    search: (text: string): void => {
      wanted.value = text
    }
  }
}

/** Jobs that are known. */
export type Known = ReturnType<typeof makeKnown>
