/** Selects jobs in a list, and runs bulk actions on the selected jobs. */
import { computed, signal } from "@preact/signals"
import { Button } from "../ui/Button.tsx"
import { readClock } from "../ui/Clock.ts"
import { bulkActions } from "../ui/Deferred.ts"
import { formatCount } from "../ui/Words.ts"
import { type JobAction, jobActions, runAction } from "./JobActions.ts"
import type { JobFeed } from "./JobFeed.ts"
import { queryOf } from "./JobFilters.tsx"
import { isSummaryRetryable } from "./JobTraits.ts"

export interface SelectionChange {
  readonly isSelected: boolean
  /** Whether all jobs between this one and the one clicked before change too. */
  readonly isRange: boolean
}

export const makeSelection = (feed: JobFeed) => {
  const ids = signal<ReadonlySet<string>>(new Set())
  const end = signal<Date | undefined>(undefined)
  /**
   * If all jobs are selected that match the filters: the time before which they were accepted. The
   * API would also act on jobs without the name that a user has typed since.
   */
  const before = computed(() => (feed.hasText() ? undefined : end.value))
  let last = ""
  const choose = (chosen: Iterable<string>, time?: Date): void => {
    ids.value = new Set(chosen)
    end.value = time
  }
  return {
    before,
    choose,
    has: (id: string): boolean => before.value !== undefined || ids.value.has(id),
    jobs: computed(() =>
      feed.jobs.value.filter(({ id }) => before.value !== undefined || ids.value.has(id))
    ),
    set: (id: string, { isRange, isSelected }: SelectionChange): void => {
      const shown = feed.jobs.value.map((job) => job.id)
      const to = shown.indexOf(id)
      const from = isRange && shown.includes(last) ? shown.indexOf(last) : to
      const next = new Set(before.value === undefined ? ids.value : shown)
      for (const each of shown.slice(Math.min(from, to), Math.max(from, to) + 1)) {
        if (isSelected) next.add(each)
        else next.delete(each)
      }
      choose(next)
      last = id
    },
    /** Selects all jobs that match, without reading them if the API can apply all filters. */
    selectAll: async (): Promise<void> => {
      if (feed.hasMore.value && !feed.hasText()) {
        choose([], new Date(readClock()))
        return
      }
      let count = -1
      while (feed.hasMore.value && feed.readCount.value > count) {
        count = feed.readCount.value
        await feed.more()
      }
      choose(feed.jobs.value.map(({ id }) => id))
    }
  }
}

type Props = Readonly<{ feed: JobFeed; selection: ReturnType<typeof makeSelection> }>
const run = async ({ feed, selection }: Props, action: JobAction): Promise<void> => {
  const before = selection.before.value
  const left = await runAction(action, {
    jobs: selection.jobs.value.filter(action.isPossible),
    query: before && queryOf(feed.filters, before),
    isBulk: true,
    refresh: feed.refresh
  })
  selection.choose(left)
}

const Progress = () => (
  <div class="selection box stack-2">
    {[...bulkActions.value].map(([stop, { all, reached, word }], index) => (
      <div class="bar" key={index}>
        <span class="row-number" role="status">
          {word}: {formatCount(reached)} {all === undefined ? "so far" : `of ${formatCount(all)}`}
        </span>
        <progress value={all && reached} max={all} aria-label="Jobs" />
        <Button class="is-small" onClick={stop} word="Stop" />
      </div>
    ))}
  </div>
)

export const SelectionBar = (props: Props) => {
  const { feed, selection } = props
  const jobs = selection.jobs.value
  const isAll = selection.before.value !== undefined
  const isWhole = jobs.length === feed.jobs.value.length && !feed.hasMore.value
  if (bulkActions.value.size > 0) return <Progress />
  return jobs.length === 0 ? null : (
    <div class="selection box cluster">
      <span role="status">{isAll ? "All that match" : formatCount(jobs.length)} selected</span>
      {isAll || isWhole ? null : (
        <Button class="is-small" onClick={() => void selection.selectAll()}>
          Select all that match
        </Button>
      )}
      {jobActions.map((action) => {
        const possible = jobs.filter(action.isPossible).length
        // No filter selects failed summaries, so one action runs both kinds of jobs again.
        if (possible === 0 || (isAll && action.isPossible === isSummaryRetryable)) return null
        const isBoth = isAll && action.action === "retry"
        return (
          <Button class="is-small" key={action.word} onClick={() => void run(props, action)}>
            {isBoth ? "Run failed jobs and failed summaries again" : action.word} (
            {isAll ? "all" : formatCount(possible)})
          </Button>
        )
      })}
      <Button class="is-small" onClick={() => selection.choose([])} word="Clear selection" />
    </div>
  )
}
