/** The actions on jobs that the list and the job screen offer, with their messages. */
import { api, bulkApi, isGone, sentenceOf, withinSession } from "../Api.ts"
import { deleteLater } from "../ui/Deferred.ts"
import type { IconName } from "../ui/Icon.tsx"
import { once } from "../ui/RepeatGuard.ts"
import { notify } from "../ui/Toasts.tsx"
import { formatCount } from "../ui/Words.ts"
import {
  hasEnded,
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
    readonly call: "redeliver" | "retry"
    readonly saidOf: (name: string) => string
    /** The words that report the result of a bulk action, such as "running again". */
    readonly done: string
  }
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
      call: "retry",
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
      call: "retry",
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
      call: "redeliver",
      saidOf: (name) => `Sending the webhook for ${name} again.`,
      done: "being delivered again"
    }
  },
  {
    word: "Cancel",
    icon: "close",
    look: "is-danger",
    labelFor: (name) => `Cancel ${name}`,
    isPossible: (job) => !hasEnded(job)
  },
  {
    word: "Delete",
    icon: "trash",
    look: "is-danger",
    labelFor: (name) => `Delete ${name}`,
    isPossible: hasEnded
  }
]

/** Deletes jobs after a few seconds. Until then, lists hide them, and the user can restore them. */
const deleteJobs = (jobs: ReadonlyArray<ListedJob>): void => {
  const [first] = jobs
  if (first === undefined) return
  const what = jobs.length === 1 ? nameOf(first) : `${formatCount(jobs.length)} jobs`
  deleteLater(
    jobs.map(({ id }) => id),
    {
      message: `${what} ${jobs.every(hasEnded) ? "deleted" : "cancelled"}.`,
      remove: async (id) => {
        try {
          await bulkApi.transcriptions.remove(id, withinSession())
        } catch (fault) {
          if (!isGone(fault)) throw fault
        }
      }
    }
  )
}

/** Runs one action at a time on a job, and reports failures. */
export const runAction = async (
  { write }: JobAction,
  { job, onChanged }: { readonly job: ListedJob; readonly onChanged: (job: Job) => void }
): Promise<void> => {
  if (write === undefined) return deleteJobs([job])
  await once(`job ${job.id}`, async () => {
    try {
      onChanged(await api.transcriptions[write.call](job.id))
      notify(write.saidOf(nameOf(job)))
    } catch (fault) {
      notify(sentenceOf(fault), { isFault: true })
    }
  })
}

/** Maximum number of concurrent requests for selected jobs: browsers open only six connections. */
const atOnce = 4

interface Batch {
  readonly jobs: ReadonlyArray<ListedJob>
  readonly onChanged: (job: Job) => void
  /** Called with the number of finished calls. */
  readonly onProgress: (ended: number) => void
}

/** Runs a bulk action, and shows one message with the number of jobs. */
export const runBatch = async (
  { write }: JobAction,
  { jobs, onChanged, onProgress }: Batch
): Promise<void> => {
  if (write === undefined) return deleteJobs(jobs)
  await once("batch of jobs", async () => {
    const options = withinSession()
    const waiting = [...jobs]
    const faults: Array<string> = []
    const work = async (): Promise<void> => {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
        const { id } = job
        await bulkApi.transcriptions[write.call](id, options).then(onChanged, (fault) =>
          faults.push(sentenceOf(fault))
        )
        onProgress(jobs.length - waiting.length)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    const count = jobs.length - faults.length
    const are = count === 1 ? "job is" : "jobs are"
    if (count > 0) notify(`${formatCount(count)} ${are} ${write.done}.`)
    if (faults.length > 0) {
      notify(`${formatCount(faults.length)} refused: ${faults[0]}`, { isFault: true })
    }
  })
}
