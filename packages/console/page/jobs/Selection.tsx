/** Selects jobs in a list, and runs bulk actions on the selected jobs. */
import { computed, signal } from "@preact/signals"
import { Button } from "../ui/Button.tsx"
import { formatCount } from "../ui/Words.ts"
import { type JobAction, jobActions, runAction } from "./JobActions.ts"
import type { JobFeed } from "./JobFeed.ts"

export interface SelectionChange {
  readonly isSelected: boolean
  /** Whether all jobs between this one and the one clicked before change too. */
  readonly isRange: boolean
}

export const makeSelection = (feed: JobFeed) => {
  const ids = signal<ReadonlySet<string>>(new Set())
  /** Number of jobs whose requests have finished while an action runs. */
  const progress = signal<{ readonly ended: number; readonly all: number } | undefined>(undefined)
  let last = ""
  return {
    ids,
    progress,
    jobs: computed(() => feed.jobs.value.filter(({ id }) => ids.value.has(id))),
    clear: (): void => {
      ids.value = new Set()
    },
    set: (id: string, { isRange, isSelected }: SelectionChange): void => {
      const shown = feed.jobs.value.map((job) => job.id)
      const to = shown.indexOf(id)
      const from = isRange && shown.includes(last) ? shown.indexOf(last) : to
      const next = new Set(ids.value)
      for (const each of shown.slice(Math.min(from, to), Math.max(from, to) + 1)) {
        if (isSelected) next.add(each)
        else next.delete(each)
      }
      ids.value = next
      last = id
    },
    /** Reads the rest of the list, and selects all jobs that match the filters. */
    selectAll: async (): Promise<void> => {
      let before = -1
      while (feed.hasMore.value && feed.readCount.value > before) {
        before = feed.readCount.value
        await feed.more()
      }
      ids.value = new Set(feed.jobs.value.map(({ id }) => id))
    }
  }
}

type Props = Readonly<{ feed: JobFeed; selection: ReturnType<typeof makeSelection> }>
const run = async ({ feed, selection }: Props, action: JobAction): Promise<void> => {
  const jobs = selection.jobs.value.filter(action.isPossible)
  const show = (ended: number): void => {
    selection.progress.value = { ended, all: jobs.length }
  }
  show(0)
  const refused = await runAction(action, { jobs, onChanged: feed.put, onProgress: show })
  selection.progress.value = undefined
  selection.ids.value = new Set(refused)
}

export const SelectionBar = (props: Props) => {
  const { feed, selection } = props
  const count = selection.jobs.value.length
  const progress = selection.progress.value
  const isAll = count === feed.jobs.value.length && !feed.hasMore.value
  if (progress !== undefined) {
    return (
      <div class="selection box bar">
        <span role="status">
          {formatCount(progress.ended)} of {formatCount(progress.all)}
        </span>
        <progress value={progress.ended} max={progress.all} aria-label="Requests" />
      </div>
    )
  }
  return count === 0 ? null : (
    <div class="selection box cluster">
      <span role="status">{formatCount(count)} selected</span>
      {isAll ? null : (
        <Button class="is-small" onClick={() => void selection.selectAll()}>
          Select all that match
        </Button>
      )}
      {jobActions.map((action) => {
        const possible = selection.jobs.value.filter(action.isPossible).length
        return possible === 0 ? null : (
          <Button class="is-small" key={action.word} onClick={() => void run(props, action)}>
            {action.word} ({formatCount(possible)})
          </Button>
        )
      })}
      <Button class="is-small" onClick={selection.clear} word="Clear selection" />
    </div>
  )
}
