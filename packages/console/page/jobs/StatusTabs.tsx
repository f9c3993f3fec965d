/** Tabs for job statuses, with counts for the statuses that an operator watches. */
import { signal } from "@preact/signals"
import { isAway } from "../Api.ts"
import { query } from "../Router.ts"
import { Tabs } from "../ui/Card.tsx"
import { listJobs, type Scope } from "./JobFilters.tsx"
import { type ListedJob, statuses, statusLabel } from "./JobTraits.ts"

type Status = ListedJob["status"]

/** The statuses whose jobs are counted. */
const counted = ["FAILED", "WEBHOOK_FAILED", "IN_PROGRESS", "IN_QUEUE"] as const

/** Minimum time between two counts. Each count needs a request for every status. */
const restMillis = 30_000

/**
 * Counts all jobs by status. The API has no counts, so one page is read per status, and a longer
 * list is shown as "100+".
 */
export const makeCounts = (scope: Scope) => {
  const counts = signal<Partial<Record<Status, string>>>({})
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let countedAt = Number.NEGATIVE_INFINITY
  const count = async (): Promise<void> => {
    timer = undefined
    countedAt = Date.now()
    for (const status of counted) {
      const page = { signal: controller.signal }
      const { data, next_cursor } = await listJobs({ ...scope, status }, page)
      const text = next_cursor === null ? `${data.length}` : `${data.length}+`
      counts.value = { ...counts.peek(), [status]: text }
    }
  }
  return {
    counts,
    /** Schedules a count, at most once every 30 seconds. */
    countSoon: (): void => {
      if (timer !== undefined || isAway.peek() || controller.signal.aborted) return
      const rest = Math.max(0, countedAt + restMillis - Date.now())
      timer = setTimeout(() => void count().catch(() => undefined), rest)
    },
    end: (): void => {
      clearTimeout(timer)
      controller.abort()
    }
  }
}

/** Counts of jobs by status. */
type Counts = ReturnType<typeof makeCounts>

/**
 * The order of the tabs: all jobs, the statuses whose jobs are counted, then the other statuses.
 */
const order: ReadonlyArray<Status | undefined> = [...new Set([undefined, ...counted, ...statuses])]

const addressOf = (status: Status | undefined): string => {
  const next = new URLSearchParams(query.value)
  // Jobs with another status seldom have the same cause, so the list would seem to be empty.
  next.delete("cause")
  if (status === undefined) next.delete("status")
  else next.set("status", status)
  return `/jobs?${next}`
}

interface Props {
  readonly counts: Counts["counts"]
  /** The number of jobs with the chosen status, if the list shows all of them. */
  readonly shown: string | undefined
}

export const StatusTabs = ({ counts, shown }: Props) => {
  const now = statuses.find((status) => status === query.value.get("status"))
  // A list is read again more often than the counts.
  const countOf = (status: Status) =>
    status === now && counts.value[status] !== undefined && shown !== undefined
      ? shown
      : counts.value[status]
  const tabs = order.map((status) => ({
    word: status === undefined ? "All" : statusLabel(status).word,
    to: addressOf(status),
    isCurrent: status === now,
    count: status === undefined ? undefined : countOf(status)
  }))
  return <Tabs label="Jobs by status" tabs={tabs} />
}
