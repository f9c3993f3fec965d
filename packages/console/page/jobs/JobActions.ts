/** The actions on jobs that the list and the job screen offer, with their messages. */
import {
  api,
  bulkApi,
  bulkOperatorApi,
  isConflict,
  isGone,
  operatorApi,
  sentenceOf,
  withinSession
} from "../Api.ts"
import type { IconName } from "../ui/Button.tsx"
import { deleteLater, hide } from "../ui/Deferred.ts"
import { once } from "../ui/RepeatGuard.ts"
import { notify } from "../ui/Toasts.tsx"
import { formatCount } from "../ui/Words.ts"
import {
  isCancellable,
  isRedeliverable,
  isRetryable,
  isSummaryRetryable,
  type ListedJob,
  nameOf
} from "./JobTraits.ts"

type SessionOptions = ReturnType<typeof withinSession>

interface JobCalls {
  readonly retry: (id: string, options: SessionOptions) => Promise<ListedJob>
  readonly redeliver: (id: string, options: SessionOptions) => Promise<ListedJob>
  readonly remove: (
    id: string,
    options: SessionOptions & { readonly if_status: "ENDED" | "UNTRANSCRIBED" }
  ) => Promise<unknown>
}

type KeyCalls = Readonly<{ calls: JobCalls; options: SessionOptions }>

/** Returns the calls for jobs: for the list of all workspaces, those of the operator key. */
const callsFor = (jobs: ReadonlyArray<ListedJob>, isBulk: boolean): KeyCalls =>
  jobs.some(({ workspace_id }) => workspace_id !== undefined)
    ? { calls: (isBulk ? bulkOperatorApi : operatorApi).work, options: withinSession("operator") }
    : { calls: (isBulk ? bulkApi : api).transcriptions, options: withinSession("workspace") }

export interface JobAction {
  readonly word: string
  readonly icon: IconName
  readonly look: string
  readonly labelFor: (name: string) => string
  readonly isPossible: (job: ListedJob) => boolean
  /** Undefined for a delete, which can be undone. */
  readonly write?: {
    /** Sends the request. Returns the changed job, or undefined if it no longer exists. */
    readonly send: (
      calls: JobCalls,
      id: string,
      options: SessionOptions
    ) => Promise<ListedJob | undefined>
    readonly saidOf: (name: string) => string
    /** The words that report the result of a bulk action, such as "running again". */
    readonly done: string
  }
}

type Send = NonNullable<JobAction["write"]>["send"]
const runAgain: Send = ({ retry }, ...wanted) => retry(...wanted)

/** Deletes a job. Throws the given sentence if the job's status does not allow it. */
const remove = async (
  [calls, id, options]: Parameters<Send>,
  [if_status, sentence]: readonly ["ENDED" | "UNTRANSCRIBED", string]
): Promise<void> => {
  try {
    await calls.remove(id, { ...options, if_status })
  } catch (fault) {
    if (isConflict(fault)) throw new Error(sentence)
    if (!isGone(fault)) throw fault
  }
}

const cancel: Send = async (...wanted) => {
  const refusal = "Not cancelled: the transcription had already ended."
  await remove(wanted, ["UNTRANSCRIBED", refusal])
  hide(wanted[1])
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
    write: { send: runAgain, saidOf: (name) => `Running ${name} again.`, done: "running again" }
  },
  {
    word: "Run the summary again",
    icon: "retry",
    look: "is-primary",
    labelFor: (name) => `Run the summary for ${name} again`,
    isPossible: isSummaryRetryable,
    write: {
      send: runAgain,
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
      send: ({ redeliver }, ...wanted) => redeliver(...wanted),
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

/** A job that runs again before its delete is sent is kept. */
const deleteJobs = (jobs: ReadonlyArray<ListedJob>): void => {
  const what = jobs.length === 1 ? jobs.map(nameOf) : `${formatCount(jobs.length)} jobs`
  const { calls, options } = callsFor(jobs, true)
  deleteLater(
    jobs.map(({ id }) => id),
    {
      message: `${what} deleted.`,
      remove: (id) => {
        const sentence = "Not deleted: the job is running again."
        return remove([calls, id, options], ["ENDED", sentence])
      }
    }
  )
}

/** Maximum number of concurrent requests for selected jobs: browsers open only six connections. */
const atOnce = 4

interface Run {
  readonly jobs: ReadonlyArray<ListedJob>
  readonly onChanged: (job: ListedJob) => void
  readonly onProgress?: (ended: number) => void
}

/** Runs one action at a time. Returns the ids of the jobs that were refused. */
export const runAction = async ({ write }: JobAction, { jobs, onChanged, onProgress }: Run) => {
  const refusals = new Map<string, string>()
  if (write === undefined) deleteJobs(jobs)
  else {
    const isBulk = onProgress !== undefined
    const hasRun = await once(isBulk ? "batch of jobs" : `job ${jobs[0]?.id}`, async () => {
      // After a sign-out, the rest of the batch is not sent under the next session.
      const { calls, options } = callsFor(jobs, isBulk)
      const waiting = [...jobs]
      let ended = 0
      const work = async (): Promise<void> => {
        for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
          const { id } = job
          await write.send(calls, id, options).then(
            (changed) => changed && onChanged(changed),
            (fault) => refusals.set(id, sentenceOf(fault))
          )
          ended += 1
          onProgress?.(ended)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      const count = jobs.length - refusals.size
      const all = count === 1 ? "1 job is" : `${formatCount(count)} jobs are`
      const said = isBulk ? `${all} ${write.done}.` : write.saidOf(jobs.map(nameOf).join())
      if (count > 0) notify(said)
      const sentences = [...refusals.values()]
      for (const sentence of new Set(sentences)) {
        const refused = sentences.filter((each) => each === sentence).length
        const who = isBulk ? `${formatCount(refused)} refused: ` : ""
        notify(who + sentence, { isFault: true })
      }
      return true
    })
    if (isBulk && !hasRun) {
      notify("Another bulk action is still running.", { isFault: true })
      return jobs.map(({ id }) => id)
    }
  }
  return [...refusals.keys()]
}
