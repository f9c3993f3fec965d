/** Tabs for job statuses, with counts for the statuses that an operator watches. */
import { computed } from "@preact/signals"
import { query } from "../Router.ts"
import { coalesce } from "../Subscription.ts"
import { Tabs } from "../ui/Card.tsx"
import { makeSource } from "../ui/Loaded.tsx"
import { type Filters, hasOnlyStatus, listJobs } from "./JobFilters.tsx"
import { type ListedJob, statuses, statusLabel } from "./JobTraits.ts"

type Status = ListedJob["status"]
const counted = ["FAILED", "WEBHOOK_FAILED", "IN_PROGRESS", "IN_QUEUE"] as const
/** Minimum time between two counts while jobs change: each needs a request for every status. */
const restMillis = 5_000

/** The API has no counts, so one page is read per status, and a longer list is shown as "100+". */
export const makeCounts = (scope: Pick<Filters, "isAll" | "workspace">) => {
  const source = makeSource(async (signal) => {
    const counts: Partial<Record<Status, string>> = {}
    for (const status of counted) {
      const { data, next_cursor } = await listJobs({ ...scope, status }, { signal })
      counts[status] = next_cursor === null ? `${data.length}` : `${data.length}+`
    }
    return counts
  })
  const countSoon: () => void = coalesce(
    { ended: source.ended, restMillis: () => restMillis },
    () => void (source.state.peek().isLoading ? countSoon() : source.reload())
  )
  return {
    counts: computed(() => source.state.value.value ?? {}),
    count: source.reload,
    countSoon,
    end: source.end
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

type Counts = ReturnType<typeof makeCounts>["counts"]
type Props = Readonly<{ counts: Counts; shown: string | undefined }>

export const StatusTabs = ({ counts, shown }: Props) => {
  const now = statuses.find((status) => status === query.value.get("status"))
  const tabs = order.map((status) => {
    // These counts ignore all filters but the workspace.
    const count = status && hasOnlyStatus() ? counts.value[status] : undefined
    return {
      word: status === undefined ? "All" : statusLabel(status).word,
      to: addressOf(status),
      isCurrent: status === now,
      // A list is read again more often than the counts.
      count: status === now ? (shown ?? count) : count
    }
  })
  return <Tabs label="Jobs by status" tabs={tabs} />
}
