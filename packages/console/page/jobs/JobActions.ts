/** What can be done with a job from a list and from its own screen, and what is said of it. */
import { api, sentenceOf } from "../Api.ts"
import { doLater } from "../ui/Deferred.ts"
import { notify } from "../ui/Toasts.tsx"
import { isOver, type Job, type ListedJob, nameOf } from "./JobTraits.ts"

/** What a screen does when something came of it. */
export interface Reaction {
  readonly onChanged: (job: Job) => void
  readonly onHidden: (id: string) => void
  readonly onShown: (id: string) => void
}

const attempt = async (task: () => Promise<void>): Promise<void> => {
  try {
    await task()
  } catch (fault) {
    notify(sentenceOf(fault), { isFault: true })
  }
}

/** Runs a failed job again. */
export const retryJob = (job: ListedJob, { onChanged }: Reaction): Promise<void> =>
  attempt(async () => {
    onChanged(await api.transcriptions.retry(job.id))
    notify(`${nameOf(job)} runs again.`)
  })

/** Sends the webhook of a job again. */
export const redeliverJob = (job: ListedJob, { onChanged }: Reaction): Promise<void> =>
  attempt(async () => {
    onChanged(await api.transcriptions.redeliver(job.id))
    notify(`The webhook of ${nameOf(job)} is sent again.`)
  })

/** Deletes a job, a few seconds later: until then it can be had back. */
export const deleteJob = (job: ListedJob, { onHidden, onShown }: Reaction): void => {
  onHidden(job.id)
  doLater({
    said: isOver(job) ? `${nameOf(job)} is deleted.` : `${nameOf(job)} is cancelled.`,
    takeBack: () => onShown(job.id),
    run: () => {
      api.transcriptions.remove(job.id).catch((fault: unknown) => {
        onShown(job.id)
        notify(sentenceOf(fault), { isFault: true })
      })
    }
  })
}
