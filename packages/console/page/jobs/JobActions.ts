/** Actions on a job, used by the list and the job screen, with their messages. */
import { api, isGone, sentenceOf } from "../Api.ts"
import { deleteLater } from "../ui/Deferred.ts"
import { once } from "../ui/RepeatGuard.ts"
import { notify } from "../ui/Toasts.tsx"
import { formatCount } from "../ui/Words.ts"
import { hasEnded, type Job, type ListedJob, nameOf } from "./JobTraits.ts"

/** A screen's callbacks for the results of actions. */
export interface ActionHandlers {
  readonly onChanged: (job: Job) => void
}

/** Runs one action on a job at a time, and reports failures. */
const runAction = ({ id }: ListedJob, task: () => Promise<void>): Promise<void> =>
  once(`job ${id}`, async () => {
    try {
      await task()
    } catch (fault) {
      notify(sentenceOf(fault), { isFault: true })
    }
  })

/** Retries a failed job. */
export const retryJob = (job: ListedJob, { onChanged }: ActionHandlers): Promise<void> =>
  runAction(job, async () => {
    onChanged(await api.transcriptions.retry(job.id))
    notify(`Running ${nameOf(job)} again.`)
  })

/** Redelivers the webhook of a job. */
export const redeliverJob = (job: ListedJob, { onChanged }: ActionHandlers): Promise<void> =>
  runAction(job, async () => {
    onChanged(await api.transcriptions.redeliver(job.id))
    notify(`Sending the webhook of ${nameOf(job)} again.`)
  })

/** Deletes jobs after a few seconds. Until then, lists hide the jobs and they can be restored. */
export const deleteJobs = (jobs: ReadonlyArray<ListedJob>): void => {
  const [first] = jobs
  if (first === undefined) return
  const what = jobs.length === 1 ? nameOf(first) : `${formatCount(jobs.length)} jobs`
  deleteLater(
    jobs.map(({ id }) => id),
    {
      message: `${what} ${jobs.every(hasEnded) ? "deleted" : "cancelled"}.`,
      remove: async (id) => {
        try {
          await api.transcriptions.remove(id)
        } catch (fault) {
          if (!isGone(fault)) throw fault
        }
      }
    }
  )
}

/** How many requests about selected jobs run at once: browsers have six connections. */
const atOnce = 4

/** A call for each of several jobs. */
interface Batch {
  readonly call: (id: string) => Promise<Job>
  /** Reports the number of calls that have ended. */
  readonly onProgress: (ended: number) => void
  /** The result in the message, such as "running again". */
  readonly done: string
}

/** Makes a call for each job, and shows one message with the number of jobs. */
export const runBatch = (
  jobs: ReadonlyArray<ListedJob>,
  { call, done, onChanged, onProgress }: ActionHandlers & Batch
): Promise<void> =>
  once("batch of jobs", async () => {
    const waiting = [...jobs]
    const faults: Array<string> = []
    const work = async (): Promise<void> => {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
        await call(job.id).then(onChanged, (fault: unknown) => faults.push(sentenceOf(fault)))
        onProgress(jobs.length - waiting.length)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    const count = jobs.length - faults.length
    if (count > 0) notify(`${formatCount(count)} ${count === 1 ? "job is" : "jobs are"} ${done}.`)
    if (faults.length > 0) {
      notify(`${formatCount(faults.length)} refused: ${faults[0]}`, { isFault: true })
    }
  }).then(() => undefined)
