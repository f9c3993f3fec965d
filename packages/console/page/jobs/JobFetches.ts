/** Asks for jobs, and takes from each answer what no later one has told. */
import type { Page } from "./JobPages.ts"
import type { ListedJob } from "./JobTraits.ts"
import type { Known } from "./KnownJobs.ts"

/** A page of a list of jobs. */
export type JobPage = Page<ListedJob>

/** What is done with an answer to a question of that number. */
type Take<Answer> = (answer: Answer, question: number) => void

/** Nothing was fetched yet; `onDoubt` is told of jobs that have to be looked at again. */
export const makeFetches = (known: Known, onDoubt: (ids: Iterable<string>) => void) => {
  /** What was asked before it may tell of jobs whose deletion nobody tells of any more. */
  let resetAt = 0

  const fetch = async <Answer>(ask: () => Promise<Answer>, take: Take<Answer>): Promise<Answer> => {
    const question = known.ask()
    try {
      const answer = await ask()
      take(answer, question)
      return answer
    } finally {
      known.close(question)
    }
  }

  return {
    fetch,
    fetchPage: (ask: () => Promise<JobPage>, take: Take<JobPage>): Promise<JobPage> =>
      fetch(ask, (page, question) => {
        take(page, question)
        if (question < resetAt) onDoubt(page.data.map(({ id }) => id))
      }),
    /** Anything may have happened to any job, and to those that are on their way. */
    reset: (): void => {
      onDoubt(known.all().keys())
      resetAt = known.ask()
      known.close(resetAt)
    }
  }
}
