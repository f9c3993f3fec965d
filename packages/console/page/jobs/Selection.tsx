/** The selected jobs of a list, and the actions on all of them. */
import { computed, signal } from "@preact/signals"
import { api } from "../Api.ts"
import { Button } from "../ui/Button.tsx"
import { formatCount } from "../ui/Words.ts"
import { deleteJobs, runBatch } from "./JobActions.ts"
import type { JobFeed } from "./JobFeed.ts"
import { hasEnded, isRedeliverable, isRetryable } from "./JobTraits.ts"

/** Makes the selection of a list, empty at first. */
export const makeSelection = (feed: JobFeed) => {
  const ids = signal<ReadonlySet<string>>(new Set())
  /** The number of jobs whose request has ended, while an action runs. */
  const progress = signal<{ readonly ended: number; readonly all: number } | undefined>(undefined)
  return {
    ids,
    progress,
    /** The selected jobs that the list still shows. */
    jobs: computed(() => feed.jobs.value.filter(({ id }) => ids.value.has(id))),
    clear: (): void => {
      ids.value = new Set()
    },
    set: (id: string, isSelected: boolean): void => {
      ids.value = isSelected
        ? new Set([...ids.value, id])
        : new Set([...ids.value].filter((each) => each !== id))
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

/** A selection. */
type Selection = ReturnType<typeof makeSelection>

interface Props {
  readonly feed: JobFeed
  readonly selection: Selection
}

const makeActions = ({ feed, selection }: Props) => {
  const jobs = selection.jobs.value
  const run = async (
    some: typeof jobs,
    { call, done }: Pick<Parameters<typeof runBatch>[1], "call" | "done">
  ): Promise<void> => {
    selection.progress.value = { ended: 0, all: some.length }
    await runBatch(some, {
      call,
      done,
      onChanged: feed.put,
      onProgress: (ended) => {
        selection.progress.value = { ended, all: some.length }
      }
    })
    selection.progress.value = undefined
    selection.clear()
  }
  const failed = jobs.filter(isRetryable)
  const sent = jobs.filter(isRedeliverable)
  const ended = jobs.filter(hasEnded)
  const remove = (some: typeof jobs) => (): void => {
    deleteJobs(some)
    selection.clear()
  }
  return [
    {
      word: "Run again",
      count: failed.length,
      run: () => void run(failed, { call: api.transcriptions.retry, done: "running again" })
    },
    {
      word: "Deliver again",
      count: sent.length,
      run: () =>
        void run(sent, { call: api.transcriptions.redeliver, done: "being delivered again" })
    },
    {
      word: "Cancel",
      count: jobs.length - ended.length,
      run: remove(jobs.filter((job) => !hasEnded(job)))
    },
    { word: "Delete", count: ended.length, run: remove(ended) }
  ].filter(({ count }) => count > 0)
}

/** Shows the number of selected jobs, and a button for each possible action. */
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
      {makeActions(props).map(({ count, run, word }) => (
        <Button class="is-small" key={word} onClick={run}>
          {word} ({formatCount(count)})
        </Button>
      ))}
      <Button class="is-small" onClick={selection.clear}>
        Clear selection
      </Button>
    </div>
  )
}
