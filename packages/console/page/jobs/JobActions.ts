/** The actions on jobs that the list and the job screen offer, with their messages. */
import { signal } from "@preact/signals"
import type { Body } from "@verbatim/client"
import { api, bulkApi, bulkOperatorApi, operatorApi, withinSession } from "../Api.ts"
import type { IconName } from "../ui/Button.tsx"
import { confirmBeforeLeaving, deleteLater, hide } from "../ui/Deferred.ts"
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

/** All actions on jobs, in button order. */
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
    word: "Cancel",
    icon: "close",
    look: "is-danger",
    labelFor: (name) => `Cancel ${name}`,
    isPossible: isCancellable,
    saidOf: (name) => `${name} cancelled.`,
    conflict: "Not cancelled: the transcription had already ended."
  },
  {
    action: "delete",
    word: "Delete",
    icon: "trash",
    look: "is-danger",
    labelFor: (name) => `Delete ${name}`,
    isPossible: (job) => !isCancellable(job),
    saidOf: (name) => `${name} deleted.`,
    conflict: "Not deleted: the job is running again."
  }
]

/** The number of jobs that a bulk action has reached, and of all its jobs if it is known. */
export const progress = signal<
  { readonly reached: number; readonly all: number | undefined } | undefined
>(undefined)

// A closed page does not send the remaining requests of an action.
confirmBeforeLeaving(() => progress.value !== undefined)

let isStopped = false
export const stopBulkAction = (): void => {
  isStopped = true
}

interface Run {
  readonly jobs: ReadonlyArray<ListedJob>
  /** Selects the jobs instead, including those that the page has not read. */
  readonly query?: Query | undefined
  readonly isBulk?: boolean
  readonly refresh: () => Promise<unknown>
}

const clientFor = ({ isBulk = false, jobs }: Run) =>
  jobs.some(({ workspace_id }) => workspace_id !== undefined)
    ? { key: "operator" as const, jobs: (isBulk ? bulkOperatorApi : operatorApi).work }
    : { key: "workspace" as const, jobs: (isBulk ? bulkApi : api).transcriptions }

/** Calls the API until no jobs are left. Returns the number of changed jobs, and the refusals. */
const callAll = async ({ action, conflict }: JobAction, run: Run) => {
  const { isBulk = false, jobs, query } = run
  const client = clientFor(run)
  const { signal } = withinSession(client.key)
  const all = query === undefined ? jobs.length : undefined
  const refusals = new Map<string, string>()
  let done = 0
  const show = (): void => {
    if (isBulk) progress.value = { reached: done + refusals.size, all }
  }
  const send = async (order: Order): Promise<void> => {
    let cursor: string | undefined
    do {
      const answer = await client.jobs.act(order, { ...query, cursor, signal })
      done += answer.done
      for (const { detail, ids, status } of answer.refused) {
        const sentence = status === 409 ? (conflict ?? detail) : detail
        for (const id of ids) refusals.set(id, sentence)
      }
      show()
      cursor = answer.next_cursor ?? undefined
    } while (cursor !== undefined && !isStopped)
  }
  const orders: Array<Order> = query === undefined ? [] : [{ action }]
  for (let from = 0; from < (all ?? 0); from += pageMax) {
    orders.push({ action, ids: jobs.slice(from, from + pageMax).map(({ id }) => id) })
  }
  isStopped = false
  show()
  try {
    // All requests are sent at once, because the page may be closing.
    await Promise.all(orders.map(send))
  } finally {
    progress.value = undefined
  }
  return { done, refusals }
}

const nameAll = (jobs: ReadonlyArray<ListedJob>): string =>
  jobs.length === 1 ? jobs.map(nameOf).join() : `${formatCount(jobs.length)} jobs`

/** Runs an action and reports its result. Returns the jobs that are left, such as refused jobs. */
const act = async (action: JobAction, run: Run): Promise<ReadonlyArray<string>> => {
  const { isBulk, jobs, query, refresh } = run
  const ids = jobs.map(({ id }) => id)
  try {
    const { done, refusals } = await callAll(action, run)
    const changed = jobs.filter(({ id }) => !refusals.has(id))
    if (action.action === "cancel" && query === undefined) for (const { id } of changed) hide(id)
    const name = query === undefined ? nameAll(changed) : `${formatCount(done)} jobs`
    if (done > 0 && action.action !== "delete") notify(action.saidOf(name))
    const sentences = [...refusals.values()]
    for (const sentence of new Set(sentences)) {
      const { length } = sentences.filter((each) => each === sentence)
      const who = isBulk === true ? `${formatCount(length)} refused: ` : ""
      notify(who + sentence, { isFault: query === undefined })
    }
    return query === undefined ? [...refusals.keys()] : []
  } catch (fault) {
    notifyFault(fault)
    return ids
  } finally {
    await refresh()
  }
}

const deleteAll = (action: JobAction, run: Run): void => {
  const { jobs, query } = run
  let left: ReadonlyArray<string> = []
  deleteLater(query === undefined ? jobs.map(({ id }) => id) : [], {
    message: query ? "All matching jobs will be deleted." : action.saidOf(nameAll(jobs)),
    remove: async () => {
      left = await act(action, run)
    },
    isKept: (id) => left.includes(id)
  })
}

/** Runs one action at a time. Returns the ids of the jobs that stay selected. */
export const runAction = async (action: JobAction, run: Run): Promise<ReadonlyArray<string>> => {
  if (action.action === "delete") {
    deleteAll(action, run)
    return []
  }
  const ids = run.jobs.map(({ id }) => id)
  return (await once(run.isBulk ? "batch of jobs" : `job ${ids}`, () => act(action, run))) ?? ids
}
