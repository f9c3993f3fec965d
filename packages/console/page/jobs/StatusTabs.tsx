/** Tabs for job statuses, with counts for the statuses that an operator watches. */
import { signal } from "@preact/signals"
import { isAway } from "../Api.ts"
import { query } from "../Router.ts"
import { coalesce } from "../Subscription.ts"
import { Tabs } from "../ui/Card.tsx"
import { type Filters, hasOnlyStatus, listJobs } from "./JobFilters.tsx"
import { type ListedJob, statuses, statusLabel } from "./JobTraits.ts"

type Status = ListedJob["status"]
const counted = ["FAILED", "WEBHOOK_FAILED", "IN_PROGRESS", "IN_QUEUE"] as const

/** Minimum time between two counts. Each count needs a request for every status. */
const restMillis = 30_000

/** The API has no counts, so one page is read per status, and a longer list is shown as "100+". */
export const makeCounts = (scope: Pick<Filters, "isAll" | "workspace">) => {
  const counts = signal<Partial<Record<Status, string>>>({})
  const ending = new AbortController()
  const { signal: ended } = ending
  const count = async (): Promise<void> => {
    for (const status of counted) {
      const { data, next_cursor } = await listJobs({ ...scope, status }, { signal: ended })
      const text = next_cursor === null ? `${data.length}` : `${data.length}+`
      counts.value = { ...counts.peek(), [status]: text }
    }
  }
  const countSoon = coalesce({ ended, restMillis: () => restMillis }, () => {
    void count().catch(() => undefined)
  })
  return {
    counts,
    countSoon: (): void => {
      if (!isAway.peek()) countSoon()
    },
    end: () => ending.abort()
  }
}

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
  readonly counts: ReturnType<typeof makeCounts>["counts"]
  /** The number of jobs with the chosen status, if the list shows all of them. */
  readonly shown: string | undefined
}

export const StatusTabs = ({ counts, shown }: Props) => {
  const now = statuses.find((status) => status === query.value.get("status"))
  const tabs = order.map((status) => {
    // The counts ignore all filters but the workspace.
    const count = status && hasOnlyStatus() ? counts.value[status] : undefined
    return {
      word: status === undefined ? "All" : statusLabel(status).word,
      to: addressOf(status),
      isCurrent: status === now,
      // A list is read again more often than the counts.
      count: status === now && count !== undefined ? (shown ?? count) : count
    }
  })
  return <Tabs label="Jobs by status" tabs={tabs} />
}
