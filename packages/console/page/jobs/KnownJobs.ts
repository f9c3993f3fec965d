/** The jobs of a list that are known here, newest first, without those that go in a moment. */
import { computed, signal } from "@preact/signals"
import { leaving } from "../ui/Leaving.ts"
import { makeAnswerOrder } from "./AnswerOrder.ts"
import { isMeant, type ListedJob } from "./JobTraits.ts"

/** Ids begin with their time: newer jobs have higher ones. */
export const newestFirst = (one: string, other: string): number => (one < other ? 1 : -1)

/** No jobs yet. */
export const makeKnown = () => {
  const known = signal<ReadonlyMap<string, ListedJob>>(new Map())
  const wanted = signal("")
  const { ask, close, next, takeNews } = makeAnswerOrder()

  const put = (jobs: ReadonlyArray<ListedJob>): void => {
    if (jobs.length === 0) return
    const all = new Map(known.value)
    for (const job of jobs) all.set(job.id, job)
    known.value = all
  }

  const add = (jobs: ReadonlyArray<ListedJob>, question: number = next()): void => {
    const news = takeNews(
      jobs.map(({ id }) => id),
      question
    )
    put(jobs.filter(({ id }) => news.has(id)))
  }

  const remove = (ids: ReadonlyArray<string>, question: number = next()): void => {
    const gone = [...takeNews(ids, question)].filter((id) => known.value.has(id))
    if (gone.length === 0) return
    const rest = new Map(known.value)
    for (const id of gone) rest.delete(id)
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
    ask,
    close,
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
