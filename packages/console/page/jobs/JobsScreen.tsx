/** The jobs of the workspace, live: newest first, by status, and a place to drop recordings. */

import { useEffect, useMemo, useRef } from "preact/hooks"
import { may } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Empty, Fault, ListFault, Skeleton } from "../ui/Empty.tsx"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { VirtualList } from "../ui/VirtualList.tsx"
import { DropPlace, UploadList } from "./DropPlace.tsx"
import type { Reaction } from "./JobActions.ts"
import { type Feed, makeFeed } from "./JobFeed.ts"
import { clearFilters, isNarrowed, textNow, useFilters, wantedNow } from "./JobFilters.tsx"
import { JobRow } from "./JobRow.tsx"
import { sendAll } from "./Uploads.ts"

/** As the style sheet has it. */
const rowHeight = 64

const Nothing = ({ isFiltered, onPick }: { isFiltered: boolean; onPick: () => void }) =>
  isFiltered ? (
    <Empty icon="search" title="No such job">
      <p>
        None of those that were fetched is like that. A job is found in the store by its whole
        callback id.
      </p>
      <Button onClick={clearFilters}>Show all jobs</Button>
    </Empty>
  ) : (
    <Empty icon="wave" title="No jobs yet">
      {may("transcriptions:write") ? (
        <>
          <p>Drop a recording anywhere on this page, or choose one.</p>
          <Button class="is-primary" onClick={onPick}>
            Choose a recording
          </Button>
        </>
      ) : (
        <p>They appear here as soon as somebody hands a recording in.</p>
      )}
    </Empty>
  )

const List = ({ feed, onPick }: { readonly feed: Feed; readonly onPick: () => void }) => {
  const reaction: Reaction = { onChanged: feed.put }
  const jobs = feed.jobs.value
  if (feed.fault.value !== undefined && jobs.length === 0) {
    return <Fault text={feed.fault.value} again={() => void feed.refresh()} />
  }
  if (!feed.isReady.value) return <Skeleton lines={8} height={rowHeight} />
  if (jobs.length === 0) return <Nothing isFiltered={isNarrowed()} onPick={onPick} />
  return (
    <>
      <VirtualList
        label="Jobs"
        items={jobs}
        rowHeight={rowHeight}
        keyOf={({ id }) => id}
        onEnd={feed.more}
        render={(job) => <JobRow job={job} reaction={reaction} />}
      />
      <ListFault fault={feed.fault.value} again={() => void feed.refresh()} />
    </>
  )
}

/** The screen. */
export const JobsScreen = () => {
  const picker = useRef<HTMLInputElement>(null)
  const wanted = wantedNow()
  const text = textNow()
  const feed = useMemo(() => makeFeed(wanted), Object.values(wanted))
  useEffect(() => feed.end, [feed])
  useEffect(() => feed.find(text), [feed, text])
  const filters = useFilters()
  const send = (files: ReadonlyArray<File>): void => {
    sendAll(files, () => void feed.refresh())
  }
  const pick = (): void => picker.current?.click()
  const mayWrite = may("transcriptions:write")
  useShortcuts(mayWrite ? [{ keys: "u", does: "Choose a recording to transcribe", run: pick }] : [])
  return (
    <>
      <div class="screen-head cluster">
        <h1>Jobs</h1>
        <div class="screen-tools">
          {filters.fields}
          {mayWrite ? (
            <Button class="is-primary" icon="upload" onClick={pick}>
              Transcribe
            </Button>
          ) : null}
        </div>
      </div>
      {filters.panel}
      {mayWrite ? (
        <>
          <input
            ref={picker}
            class="hidden"
            type="file"
            multiple
            tabIndex={-1}
            aria-label="Recordings"
            onChange={(event) => {
              send([...(event.currentTarget.files ?? [])])
              event.currentTarget.value = ""
            }}
          />
          <DropPlace onFiles={send} />
          <UploadList />
        </>
      ) : null}
      <List feed={feed} onPick={pick} />
    </>
  )
}
