/** The actions on jobs that the list and the job screen offer, with their messages. */
import { api, bulkApi, isConflict, isGone, sentenceOf, withinSession } from "../Api.ts"
import { deleteLater, hide } from "../ui/Deferred.ts"
import type { IconName } from "../ui/Icon.tsx"
import { once } from "../ui/RepeatGuard.ts"
import { notify } from "../ui/Toasts.tsx"
import { formatCount } from "../ui/Words.ts"
import {
  isCancellable,
  isRedeliverable,
  isRetryable,
  isSummaryRetryable,
  type Job,
  type ListedJob,
  nameOf
} from "./JobTraits.ts"

/** An action on one or more jobs. */
export interface JobAction {
  readonly word: string
  readonly icon: IconName
  /** The CSS class for the action's button. */
  readonly look: string
  /** The label for screen readers when the button is in a list. */
  readonly labelFor: (name: string) => string
  readonly isPossible: (job: ListedJob) => boolean
  /**
   * The request, and the message to show afterwards. Undefined for a delete, which can be undone.
   */
  readonly write?: {
    /** Sends the request. Returns the changed job, or undefined if it no longer exists. */
    readonly send: (
      client: typeof api,
      id: string,
      options?: ReturnType<typeof withinSession>
    ) => Promise<Job | undefined>
    readonly saidOf: (name: string) => string
    /** The words that report the result of a bulk action, such as "running again". */
    readonly done: string
  }
}

/** Deletes a job at once, but only if its transcription has not ended. */
const cancel: NonNullable<JobAction["write"]>["send"] = async (client, id, options) => {
  try {
    await client.transcriptions.remove(id, { ...options, if_status: "UNTRANSCRIBED" })
  } catch (fault) {
    if (isConflict(fault)) throw new Error("Not cancelled: the transcription had already ended.")
    if (!isGone(fault)) throw fault
  }
  hide(id)
  return undefined
}

/** All actions on jobs, in button order. */
export const jobActions: ReadonlyArray<JobAction> = [
  {
    word: "Run again",
    icon: "retry",
    look: "is-primary",
    labelFor: (name) => `Run ${name} again`,
    isPossible: isRetryable,
    write: {
      send: ({ transcriptions }, ...wanted) => transcriptions.retry(...wanted),
      saidOf: (name) => `Running ${name} again.`,
      done: "running again"
    }
  },
  {
    word: "Run the summary again",
    icon: "retry",
    look: "is-primary",
    labelFor: (name) => `Run the summary for ${name} again`,
    isPossible: isSummaryRetryable,
    write: {
      send: ({ transcriptions }, ...wanted) => transcriptions.retry(...wanted),
      saidOf: (name) => `Running the summary for ${name} again.`,
      done: "getting a new summary"
    }
  },
  {
    word: "Deliver again",
    icon: "send",
    look: "",
    labelFor: (name) => `Send the webhook for ${name} again`,
    isPossible: isRedeliverable,
    write: {
      send: ({ transcriptions }, ...wanted) => transcriptions.redeliver(...wanted),
      saidOf: (name) => `Sending the webhook for ${name} again.`,
      done: "being delivered again"
    }
  },
  {
    word: "Cancel",
    icon: "close",
    look: "is-danger",
    labelFor: (name) => `Cancel ${name}`,
    isPossible: isCancellable,
    write: { send: cancel, saidOf: (name) => `${name} cancelled.`, done: "cancelled" }
  },
  {
    word: "Delete",
    icon: "trash",
    look: "is-danger",
    labelFor: (name) => `Delete ${name}`,
    isPossible: (job) => !isCancellable(job)
  }
]

/**
 * Deletes jobs after a few seconds. Until then, lists hide them, and the user can restore them. A
 * job that runs again in the meantime is kept.
 */
const deleteJobs = (jobs: ReadonlyArray<ListedJob>): void => {
  const [first] = jobs
  if (first === undefined) return
  const what = jobs.length === 1 ? nameOf(first) : `${formatCount(jobs.length)} jobs`
  deleteLater(
    jobs.map(({ id }) => id),
    {
      message: `${what} deleted.`,
      remove: async (id) => {
        try {
          await bulkApi.transcriptions.remove(id, { ...withinSession(), if_status: "ENDED" })
        } catch (fault) {
          if (isConflict(fault)) throw new Error("Not deleted: the job is running again.")
          if (!isGone(fault)) throw fault
        }
      }
    }
  )
}

/**
 * Runs one action at a time on a job, and reports failures. Returns whether the job is now hidden.
 */
export const runAction = async (
  { write }: JobAction,
  { job, onChanged }: { readonly job: ListedJob; readonly onChanged: (job: Job) => void }
): Promise<boolean> => {
  let isHidden = write === undefined
  if (write === undefined) deleteJobs([job])
  else {
    await once(`job ${job.id}`, async () => {
      try {
        const changed = await write.send(api, job.id)
        isHidden = changed === undefined
        if (changed !== undefined) onChanged(changed)
        notify(write.saidOf(nameOf(job)))
      } catch (fault) {
        notify(sentenceOf(fault), { isFault: true })
      }
    })
  }
  return isHidden
}

/** Maximum number of concurrent requests for selected jobs: browsers open only six connections. */
const atOnce = 4

interface Batch {
  readonly jobs: ReadonlyArray<ListedJob>
  readonly onChanged: (job: Job) => void
  /** Called with the number of finished calls. */
  readonly onProgress: (ended: number) => void
}

/**
 * Runs a bulk action, and shows one message with the number of jobs. Returns the ids of the jobs
 * that were refused.
 */
export const runBatch = async (
  { write }: JobAction,
  { jobs, onChanged, onProgress }: Batch
): Promise<ReadonlyArray<string>> => {
  const faults = new Map<string, string>()
  if (write === undefined) deleteJobs(jobs)
  else
    await once("batch of jobs", async () => {
      const options = withinSession()
      const waiting = [...jobs]
      const work = async (): Promise<void> => {
        for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
          const { id } = job
          await write.send(bulkApi, id, options).then(
            (changed) => changed && onChanged(changed),
            (fault) => faults.set(id, sentenceOf(fault))
          )
          onProgress(jobs.length - waiting.length)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      const count = jobs.length - faults.size
      const are = count === 1 ? "job is" : "jobs are"
      if (count > 0) notify(`${formatCount(count)} ${are} ${write.done}.`)
      for (const sentence of new Set(faults.values())) {
        const refused = [...faults.values()].filter((each) => each === sentence).length
        notify(`${formatCount(refused)} refused: ${sentence}`, { isFault: true })
      }
    })
  return [...faults.keys()]
}
