/** The jobs of the workspace, live: newest first, by status, and a place to drop recordings. */
import { useEffect, useMemo, useRef } from "preact/hooks"
import { query, setQuery } from "../Router.ts"
import { may } from "../session/Session.ts"
import { Empty, Fault, Skeleton } from "../ui/Empty.tsx"
import { Icon } from "../ui/Icon.tsx"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { VirtualList } from "../ui/VirtualList.tsx"
import { DropPlace, UploadList } from "./DropPlace.tsx"
import type { Reaction } from "./JobActions.ts"
import { type Feed, makeFeed } from "./JobFeed.ts"
import { JobRow } from "./JobRow.tsx"
import { type ListedJob, statuses, toShown } from "./JobTraits.ts"
import { sendAll } from "./Uploads.ts"

/** As the style sheet has it. */
const rowHeight = 64

const readStatus = (): ListedJob["status"] | undefined =>
  statuses.find((status) => status === query.value.get("status"))

const Filters = () => (
  <label class="select-field">
    <span class="hidden">Status</span>
    <select
      class="select"
      value={query.value.get("status") ?? ""}
      onChange={(event) => setQuery("status", event.currentTarget.value)}
    >
      <option value="">Every status</option>
      {statuses.map((status) => (
        <option key={status} value={status}>
          {toShown(status).word}
        </option>
      ))}
    </select>
  </label>
)

/** So long after the last letter: then it is looked for. */
const typingMillis = 250

const Search = ({ feed }: { readonly feed: Feed }) => {
  const field = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useShortcuts([{ keys: "/", does: "Look for a job", run: () => field.current?.focus() }])
  return (
    <label class="search">
      <span class="hidden">Look for a job by name, file or id</span>
      <Icon name="search" />
      <input
        ref={field}
        class="input"
        type="search"
        placeholder="Name, file or id"
        onInput={(event) => {
          const { value } = event.currentTarget
          clearTimeout(timer.current)
          timer.current = setTimeout(() => feed.find(value), typingMillis)
        }}
      />
    </label>
  )
}

const Nothing = ({ isFiltered, onPick }: { isFiltered: boolean; onPick: () => void }) =>
  isFiltered ? (
    <Empty icon="search" title="No such job">
      <p>No job has that status and that name among those that were fetched.</p>
      <button type="button" class="button" onClick={() => setQuery("status", "")}>
        Show every status
      </button>
    </Empty>
  ) : (
    <Empty icon="wave" title="No jobs yet">
      <p>Drop a recording anywhere on this page, or choose one.</p>
      {may("transcriptions:write") ? (
        <button type="button" class="button is-primary" onClick={onPick}>
          Choose a recording
        </button>
      ) : null}
    </Empty>
  )

const List = ({ feed, onPick }: { readonly feed: Feed; readonly onPick: () => void }) => {
  const reaction: Reaction = { onChanged: feed.put, onHidden: feed.hide, onShown: feed.show }
  const jobs = feed.jobs.value
  if (feed.fault.value !== undefined && jobs.length === 0) {
    return <Fault text={feed.fault.value} again={() => void feed.refresh()} />
  }
  if (!feed.isReady.value) return <Skeleton lines={8} height={rowHeight} />
  if (jobs.length === 0)
    return (
      <Nothing isFiltered={readStatus() !== undefined || feed.isSearching.value} onPick={onPick} />
    )
  return (
    <VirtualList
      label="Jobs"
      items={jobs}
      rowHeight={rowHeight}
      keyOf={({ id }) => id}
      onEnd={feed.more}
      render={(job) => <JobRow job={job} reaction={reaction} />}
    />
  )
}

/** The screen. */
export const JobsScreen = () => {
  const picker = useRef<HTMLInputElement>(null)
  const status = readStatus()
  const feed = useMemo(() => makeFeed({ status }), [status])
  useEffect(() => feed.end, [feed])
  const send = (files: ReadonlyArray<File>): void => {
    void sendAll(files, { wishes: {}, onJob: () => void feed.refresh() })
  }
  const pick = (): void => picker.current?.click()
  const mayWrite = may("transcriptions:write")
  useShortcuts(mayWrite ? [{ keys: "u", does: "Choose a recording to transcribe", run: pick }] : [])
  return (
    <>
      <div class="screen-head">
        <h1>Jobs</h1>
        <div class="screen-tools">
          <Search feed={feed} />
          <Filters />
          {mayWrite ? (
            <button type="button" class="button is-primary" onClick={pick}>
              <Icon name="upload" />
              Transcribe
            </button>
          ) : null}
        </div>
      </div>
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
