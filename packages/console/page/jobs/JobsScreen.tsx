/** The live list of the workspace's jobs, with filters and uploads. */
import { useEffect, useMemo, useRef } from "preact/hooks"
import { can, canWrite as canChange, canReadJobs, isOperator } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { ButtonLink, ScreenHead } from "../ui/Card.tsx"
import { Segments, useOpening } from "../ui/Forms.tsx"
import { Empty, Fault, ListFault, Skeleton, useSource } from "../ui/Loaded.tsx"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { VirtualList } from "../ui/VirtualList.tsx"
import { formatCount } from "../ui/Words.ts"
import { BlockerNotes, useBlockers } from "../work/Blockers.tsx"
import { scope } from "../workspaces/WorkspaceField.tsx"
import { UploadList } from "./DropZone.tsx"
import { type JobFeed, makeJobFeed } from "./JobFeed.ts"
import { clearFilters, currentFilters, currentText, hasFilters, useFilters } from "./JobFilters.tsx"
import { JobRow } from "./JobRow.tsx"
import { hasEnded } from "./JobTraits.ts"
import { makeSelection, SelectionBar } from "./Selection.tsx"
import { makeCounts, StatusTabs } from "./StatusTabs.tsx"
import { UploadForm } from "./UploadForm.tsx"
import { acceptedCount, sendFiles } from "./Uploads.ts"

const rowHeight = 64

const OtherSearches = () => {
  const text = currentText()
  if (text === "" || currentFilters().isAll) return null
  const wanted = encodeURIComponent(text)
  const word = `Search transcripts for “${text}”`
  const to = `/jobs?of=all&text=${wanted}`
  return (
    <>
      <ButtonLink icon="search" to={`/jobs?words=${wanted}`} word={word} />
      {isOperator.value && <ButtonLink icon="search" to={to} word="Search all workspaces" />}
    </>
  )
}

const Searching = ({ feed }: { readonly feed: JobFeed }) => {
  const count = feed.readCount.value
  useEffect(() => void feed.more(), [feed, count])
  return (
    <Empty icon="search" title="Searching older jobs">
      <p role="status">None of the newest {formatCount(count)} jobs matches.</p>
      <OtherSearches />
    </Empty>
  )
}

const Nothing = ({ isFiltered, onPick }: { isFiltered: boolean; onPick: () => void }) =>
  isFiltered ? (
    <Empty icon="search" title="No matching jobs">
      <p>No job matches the filters.</p>
      <OtherSearches />
      <Button onClick={clearFilters}>Clear filters</Button>
    </Empty>
  ) : (
    <Empty icon="wave" title="No jobs yet">
      {can("transcriptions:write") ? (
        <>
          <p>Drop a recording anywhere on this page, or choose one.</p>
          <Button class="is-primary" onClick={onPick} word="Choose a recording" />
        </>
      ) : (
        <p>Jobs appear here as soon as a recording is uploaded.</p>
      )}
    </Empty>
  )

/** Counts the jobs that match the filters, as far as they have been read. */
const countShown = ({ hasMore, isReady, jobs }: JobFeed): string | undefined =>
  isReady.value && hasFilters() ? `${jobs.value.length}${hasMore.value ? "+" : ""}` : undefined

type ListProps = Readonly<{ feed: JobFeed; canWrite: boolean; onPick: () => void }>
type RowsProps = ListProps & Readonly<{ selection: ReturnType<typeof makeSelection> }>
const Rows = ({ canWrite, feed, onPick, selection }: RowsProps) => {
  const jobs = feed.jobs.value
  const fault = feed.fault.value
  if (fault !== undefined && jobs.length === 0)
    return <Fault text={fault} again={() => void feed.refresh()} />
  if (!feed.isReady.value) return <Skeleton lines={8} height={rowHeight} />
  if (jobs.length === 0 && feed.hasMore.value) return <Searching feed={feed} />
  if (jobs.length === 0) return <Nothing isFiltered={hasFilters()} onPick={onPick} />
  return (
    <>
      <VirtualList
        label="Jobs"
        items={jobs}
        heights={rowHeight}
        keyOf={({ id }) => id}
        onEnd={feed.more}
        render={(job) => (
          <JobRow
            job={job}
            canWrite={canWrite}
            refresh={feed.refresh}
            isSelected={selection.has(job.id)}
            onSelect={(how) => selection.set(job.id, how)}
          />
        )}
      />
      <ListFault fault={fault} again={() => void feed.again()} />
    </>
  )
}

const List = (props: ListProps) => {
  const { feed } = props
  const selection = useMemo(() => makeSelection(feed), [feed])
  const blockers = useBlockers(feed.jobs.value.some((job) => !hasEnded(job)))
  return (
    <>
      <BlockerNotes blockers={blockers} />
      <Rows {...props} selection={selection} />
      <SelectionBar feed={feed} selection={selection} />
    </>
  )
}

export const JobsScreen = () => {
  const picker = useRef<HTMLInputElement>(null)
  const wanted = currentFilters()
  const text = currentText()
  const { isAll, workspace } = wanted
  const counts = useSource(`${isAll} ${workspace}`, () => makeCounts({ isAll, workspace }))
  const feed = useSource(JSON.stringify(wanted), () => makeJobFeed(wanted, counts))
  useEffect(() => feed.find(text), [feed, text])
  const filters = useFilters()
  useEffect(() => counts.countSoon(), [counts, feed.statuses.value])
  useEffect(() => void feed.refresh(), [feed, acceptedCount.value])
  const options = useOpening()
  const pick = (): void => picker.current?.click()
  const canWrite = can("transcriptions:write")
  useShortcuts(canWrite ? [{ keys: "u", does: "Upload a recording", run: pick }] : [])
  return (
    <>
      <ScreenHead title="Jobs">
        {isOperator.value && canReadJobs() ? <Segments label="Whose jobs" {...scope} /> : null}
        {filters.fields}
        {canWrite ? (
          <>
            <Button onClick={options.open}>Options…</Button>
            <Button class="is-primary" icon="upload" onClick={pick} word="Transcribe" />
          </>
        ) : null}
      </ScreenHead>
      <StatusTabs counts={counts.counts} shown={countShown(feed)} />
      {filters.panel}
      {isAll ? (
        <p class="hint below">
          These jobs belong to all workspaces, and are read again once a minute. To open a job
          {canReadJobs() ? " of another workspace" : ""}, log in with a key of its workspace.
        </p>
      ) : null}
      {canWrite ? (
        <>
          <input
            ref={picker}
            class="hidden"
            type="file"
            multiple
            tabIndex={-1}
            aria-label="Recordings"
            onChange={({ currentTarget }) => {
              sendFiles([...(currentTarget.files ?? [])])
              currentTarget.value = ""
            }}
          />
          <UploadList />
          {options.isOpen.value ? <UploadForm onClose={options.close} /> : null}
        </>
      ) : null}
      <List feed={feed} canWrite={isAll ? canChange.value : canWrite} onPick={pick} />
    </>
  )
}
