/** Actions on a job, used by the list and the job screen, with their messages. */
import { api, isGone, sentenceOf } from "../Api.ts"
import { deleteLater } from "../ui/Deferred.ts"
import { once } from "../ui/RepeatGuard.ts"
import { notify } from "../ui/Toasts.tsx"
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

/** Deletes a job after a few seconds. Until then, lists hide the job and it can be restored. */
export const deleteJob = (job: ListedJob): void =>
  deleteLater(job.id, {
    message: hasEnded(job) ? `${nameOf(job)} deleted.` : `${nameOf(job)} cancelled.`,
    remove: async () => {
      try {
        await api.transcriptions.remove(job.id)
      } catch (fault) {
        if (!isGone(fault)) throw fault
      }
    }
  })
