/** What can be done with a job from a list and from its own screen, and what is said of it. */
import { api, isGone, sentenceOf } from "../Api.ts"
import { removeLater } from "../ui/Deferred.ts"
import { once } from "../ui/SteadyHand.ts"
import { notify } from "../ui/Toasts.tsx"
import { isOver, type Job, type ListedJob, nameOf } from "./JobTraits.ts"

/** What a screen does when something came of it. */
export interface Reaction {
  readonly onChanged: (job: Job) => void
}

/** Asks one thing of a job at a time, and tells what went wrong. */
const attempt = ({ id }: ListedJob, task: () => Promise<void>): Promise<void> =>
  once(`job ${id}`, async () => {
    try {
      await task()
    } catch (fault) {
      notify(sentenceOf(fault), { isFault: true })
    }
  })

/** Runs a failed job again. */
export const retryJob = (job: ListedJob, { onChanged }: Reaction): Promise<void> =>
  attempt(job, async () => {
    onChanged(await api.transcriptions.retry(job.id))
    notify(`${nameOf(job)} runs again.`)
  })

/** Sends the webhook of a job again. */
export const redeliverJob = (job: ListedJob, { onChanged }: Reaction): Promise<void> =>
  attempt(job, async () => {
    onChanged(await api.transcriptions.redeliver(job.id))
    notify(`The webhook of ${nameOf(job)} is sent again.`)
  })

/** Deletes a job, a few seconds later: until then no list has it, and it can be had back. */
export const deleteJob = (job: ListedJob): void =>
  removeLater(job.id, {
    said: isOver(job) ? `${nameOf(job)} is deleted.` : `${nameOf(job)} is cancelled.`,
    remove: async () => {
      try {
        await api.transcriptions.remove(job.id)
      } catch (fault) {
        if (!isGone(fault)) throw fault
      }
    }
  })
