/** The actions on jobs that the list and the job screen offer, with their messages. */
import type { Body } from "@verbatim/client"
import { api, bulkApi, bulkOperatorApi, operatorApi, withinSession } from "../Api.ts"
import type { IconName } from "../ui/Button.tsx"
import { bulkActions, deleteLater } from "../ui/Deferred.ts"
import { once } from "../ui/RepeatGuard.ts"
import { notify, notifyFault } from "../ui/Toasts.tsx"
import { formatCount } from "../ui/Words.ts"
import { pageMax, type Query } from "./JobFilters.tsx"
import {
  isCancellable,
  isRedeliverable,
  isRetryable,
  isSummaryRetryable,
  type ListedJob,
  nameOf
} from "./JobTraits.ts"

type Order = Body<"transcriptions.act">

export interface JobAction {
  readonly action: Order["action"]
  readonly word: string
  readonly icon: IconName
  readonly look: string
  readonly labelFor: (name: string) => string
  readonly isPossible: (job: ListedJob) => boolean
  readonly saidOf: (name: string) => string
  /** Says that the job's status has changed. The API's own message names the status. */
  readonly conflict?: string
}

export const jobActions: ReadonlyArray<JobAction> = [
  {
    action: "retry",
    word: "Run again",
    icon: "retry",
    look: "is-primary",
    labelFor: (name) => `Run ${name} again`,
    isPossible: isRetryable,
    saidOf: (name) => `Running ${name} again.`
  },
  {
    action: "retry",
    word: "Run the summary again",
    icon: "retry",
    look: "is-primary",
    labelFor: (name) => `Run the summary for ${name} again`,
    isPossible: isSummaryRetryable,
    saidOf: (name) => `Running the summary for ${name} again.`
  },
  {
    action: "redeliver",
    word: "Deliver again",
    icon: "send",
    look: "",
    labelFor: (name) => `Send the webhook for ${name} again`,
    isPossible: isRedeliverable,
    saidOf: (name) => `Sending the webhook for ${name} again.`
  },
  {
    action: "cancel",
    word: "Cancel and delete",
    icon: "close",
    look: "is-danger",
    labelFor: (name) => `Cancel and delete ${name}`,
    isPossible: isCancellable,
    saidOf: (name) => `${name} will be cancelled and deleted`,
    conflict: "Not cancelled: the transcription had already ended."
  },
  {
    action: "delete",
    word: "Delete",
    icon: "trash",
    look: "is-danger",
    labelFor: (name) => `Delete ${name}`,
    isPossible: (job) => !isCancellable(job),
    saidOf: (name) => `${name} will be deleted`,
    conflict: "Not deleted: the job is running again."
  }
]

interface Run {
  readonly jobs: ReadonlyArray<ListedJob>
  /** Selects the jobs instead, including those that the page has not read. */
  readonly query?: Query | undefined
  readonly isBulk?: boolean
  readonly refresh: () => Promise<unknown>
}

/** A run that fails when the key that it began with is changed. */
type StartedRun = Run & Readonly<{ signal: AbortSignal }>

const clientFor = ({ isBulk = false, jobs }: Run) =>
  jobs.some(({ workspace_id }) => workspace_id !== undefined)
    ? { key: "operator" as const, jobs: (isBulk ? bulkOperatorApi : operatorApi).work }
    : { key: "workspace" as const, jobs: (isBulk ? bulkApi : api).transcriptions }

const callAll = async ({ action, conflict, word }: JobAction, run: StartedRun) => {
  const { isBulk = false, jobs, query, signal } = run
  const client = clientFor(run)
  const all = query === undefined ? jobs.length : undefined
  const refusals = new Map<string, string>()
  let left = jobs.map(({ id }) => id)
  let cursor: string | undefined
  let done = 0
  let isStopped = false
  const stop = (): void => {
    isStopped = true
  }
  const show = (): void => {
    const shown = { word, reached: done + refusals.size, all }
    if (isBulk) bulkActions.value = new Map([...bulkActions.peek(), [stop, shown]])
  }
  show()
  try {
    do {
      const ids = left.slice(0, pageMax)
      const order = query === undefined ? { action, ids } : { action }
      const answer = await client.jobs.act(order, { ...query, cursor: query && cursor, signal })
      done += answer.done
      for (const { detail, ids, status } of answer.refused) {
        const sentence = status === 409 ? (conflict ?? detail) : detail
        for (const id of ids) refusals.set(id, sentence)
      }
      cursor = answer.next_cursor ?? undefined
      left = left.slice(cursor === undefined ? ids.length : ids.indexOf(cursor) + 1)
      show()
    } while ((query === undefined ? left.length > 0 : cursor !== undefined) && !isStopped)
  } finally {
    bulkActions.value = new Map([...bulkActions.peek()].filter(([each]) => each !== stop))
  }
  return { done, left, refusals }
}

/** Whether the action deletes the jobs: in the API, cancelling a job deletes it. */
const isRemoval = ({ action }: JobAction): boolean => action === "cancel" || action === "delete"

const nameAll = (jobs: ReadonlyArray<ListedJob>): string =>
  jobs.length === 1 ? jobs.map(nameOf).join() : `${formatCount(jobs.length)} jobs`

const act = async (action: JobAction, run: StartedRun): Promise<ReadonlyArray<string>> => {
  const { isBulk, jobs, query, refresh } = run
  const ids = jobs.map(({ id }) => id)
  try {
    const { done, left, refusals } = await callAll(action, run)
    const changed = jobs.filter(({ id }) => !refusals.has(id) && !left.includes(id))
    const name = query === undefined ? nameAll(changed) : `${formatCount(done)} jobs`
    if (done > 0 && !isRemoval(action)) notify(action.saidOf(name))
    const sentences = [...refusals.values()]
    for (const sentence of new Set(sentences)) {
      const { length } = sentences.filter((each) => each === sentence)
      const who = isBulk === true ? `${formatCount(length)} refused: ` : ""
      notify(who + sentence, { isFault: query === undefined })
    }
    return query === undefined ? [...refusals.keys(), ...left] : []
  } catch (fault) {
    notifyFault(fault)
    return ids
  } finally {
    await refresh()
  }
}

const deleteAll = (action: JobAction, run: StartedRun): void => {
  const { jobs, query } = run
  let left: ReadonlyArray<string> = []
  deleteLater(query === undefined ? jobs.map(({ id }) => id) : [], {
    message: action.saidOf(query ? "All matching jobs" : nameAll(jobs)),
    remove: async () => {
      left = await act(action, run)
    },
    isKept: (id) => left.includes(id)
  })
}

/** Runs one action at a time. Returns the ids of the jobs that stay selected. */
export const runAction = async (action: JobAction, given: Run): Promise<ReadonlyArray<string>> => {
  // The key may change before a removal begins, and its query would match another workspace's jobs.
  const run = { ...given, ...withinSession(clientFor(given).key) }
  if (isRemoval(action)) {
    deleteAll(action, run)
    return []
  }
  const ids = run.jobs.map(({ id }) => id)
  return (await once(run.isBulk ? "batch of jobs" : `job ${ids}`, () => act(action, run))) ?? ids
}
