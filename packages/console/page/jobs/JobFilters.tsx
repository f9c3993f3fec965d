/** Filters for a list of jobs: words, cause, days, `callback_id`, name. Tabs select the status. */

import type { TargetedEvent } from "preact"
import { useEffect } from "preact/hooks"
import { api, operatorApi } from "../Api.ts"
import { query, setQuery } from "../Router.ts"
import { canReadJobs, isOperator } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { useOpening } from "../ui/Dialog.tsx"
import { Field, Select, useFieldText } from "../ui/Forms.tsx"
import { QueryField } from "../ui/SearchField.tsx"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { WorkspaceField } from "../workspaces/WorkspaceField.tsx"
import { type Cause, causeWords, isCause, type ListedJob, statuses } from "./JobTraits.ts"

/**
 * Whether to list the jobs of all workspaces, for operators, or only those of the session's
 * workspace.
 */
export interface Scope {
  readonly isAll: boolean
  /** The only workspace to list, if all workspaces can be listed. Empty for all workspaces. */
  readonly workspace: string
}

/** The filters that the server applies. */
export interface Filters extends Scope {
  readonly status: ListedJob["status"] | undefined
  /** The name of a cause of failure. Empty for all jobs. */
  readonly cause: Cause | ""
  /** The first and last day, inclusive, in the reader's time zone. Empty for any day. */
  readonly from: string
  readonly until: string
  readonly callback: string
  /** Words that the transcript contains. */
  readonly words: string
}

const day = /^\d{4}-\d\d-\d\d$/

const dayOf = (name: string): string => {
  const text = query.value.get(name) ?? ""
  return day.test(text) ? text : ""
}

const textOf = (name: string): string => query.value.get(name) ?? ""

const causeIn = (text: string): Cause | "" => (isCause(text) ? text : "")

/** Reads from the address whether to list the jobs of all workspaces. */
const showsAll = (): boolean => isOperator.value && (!canReadJobs() || textOf("of") === "all")

export const currentFilters = (): Filters => {
  const isAll = showsAll()
  return {
    isAll,
    workspace: isAll ? textOf("workspace") : "",
    status: statuses.find((status) => status === query.value.get("status")),
    cause: causeIn(textOf("cause")),
    from: dayOf("from"),
    until: dayOf("until"),
    callback: textOf("callback"),
    words: isAll ? "" : textOf("words")
  }
}

/** The search text in the address. */
export const currentText = (): string => textOf("text")

export const hasFilters = (): boolean =>
  currentText() !== "" ||
  Object.values(currentFilters()).some((part) => typeof part === "string" && part !== "")

export const clearFilters = (): void => {
  for (const name of [
    "workspace",
    "status",
    "cause",
    "from",
    "until",
    "callback",
    "words",
    "text"
  ]) {
    setQuery(name, "")
  }
}

/** Returns the start of the day the given number of days later, in the reader's time zone. */
const startOfDay = (text: string, days: number): Date => {
  const [year = 0, month = 1, date = 1] = text.split("-").map(Number)
  return new Date(year, month - 1, date + days)
}

/** Which page of the list to read, or the only `callback_id` to list. */
interface Page {
  readonly signal: AbortSignal
  readonly cursor?: string | undefined
  readonly callback_id?: string | undefined
}

/** The largest page size that the API accepts. */
export const pageMax = 100

/** Reads a page of jobs that match the filters. */
export const listJobs = (
  {
    callback = "",
    cause = "",
    from = "",
    isAll,
    status,
    until = "",
    words,
    workspace
  }: Partial<Filters>,
  page: Page
): Promise<{ readonly data: ReadonlyArray<ListedJob>; readonly next_cursor: string | null }> => {
  const options = {
    status,
    cause: cause || undefined,
    callback_id: callback || undefined,
    created_after: from === "" ? undefined : startOfDay(from, 0),
    created_before: until === "" ? undefined : startOfDay(until, 1),
    limit: pageMax,
    ...page
  }
  return isAll === true
    ? operatorApi.work.jobs({ ...options, workspace_id: workspace || undefined })
    : api.transcriptions.list({ ...options, q: words || undefined })
}

interface FilterProps {
  /** The name of a query parameter in the address. */
  readonly name: string
  readonly label: string
  readonly type: "date" | "text"
}

/** Shows a filter. Typed text is kept if the list changes before the text is submitted. */
const FilterField = ({ label, name, type }: FilterProps) => {
  const value = query.value.get(name) ?? ""
  const props = {
    class: "input",
    ref: useFieldText(value),
    spellcheck: false,
    onChange: ({ currentTarget }: TargetedEvent<HTMLInputElement>) =>
      setQuery(name, currentTarget.value.trim())
  }
  return (
    <Field label={label}>
      {type === "date" ? <input type="date" {...props} /> : <input type="text" {...props} />}
    </Field>
  )
}

const panelId = "job-filters"

const countMore = ({ callback, cause, from, until, words, workspace }: Filters): number =>
  [callback, cause, from, until, words, workspace].filter((part) => part !== "").length

/** Whether the list contains all jobs with the chosen status. */
export const hasOnlyStatus = (): boolean =>
  currentText() === "" && countMore({ ...currentFilters(), workspace: "" }) === 0

const CauseField = ({ cause }: Pick<Filters, "cause">) => (
  <Field label="Cause of the failure">
    <Select
      value={cause}
      onChange={(value) => setQuery("cause", value)}
      options={[["", "Any"], ...Object.entries(causeWords)]}
    />
  </Field>
)

/** Shows the most used filters, and a panel with the others. */
export const useFilters = () => {
  const filters = currentFilters()
  const more = countMore(filters)
  const { isOpen, open, toggle } = useOpening()
  // The panel is open if the address sets any of its filters.
  useEffect(() => {
    if (more > 0) open()
  }, [more > 0])
  useShortcuts([{ keys: "f", does: "Filter by words, cause, day or callback id", run: toggle }])
  const fields = (
    <>
      <QueryField
        name="text"
        label="Search jobs by name, file or id"
        shortcut="Search jobs"
        placeholder="Name, file or id"
      />
      <Button icon="filter" aria-expanded={isOpen.value} aria-controls={panelId} onClick={toggle}>
        {more === 0 ? "Filter" : `Filter (${more})`}
      </Button>
    </>
  )
  const panel = (
    <div class="filters inline-form box" id={panelId} hidden={!isOpen.value}>
      {filters.isAll ? (
        <WorkspaceField isVisible={isOpen.value} />
      ) : (
        <FilterField name="words" label="Words in the transcript" type="text" />
      )}
      <CauseField cause={filters.cause} />
      <FilterField name="from" label="From" type="date" />
      <FilterField name="until" label="Until" type="date" />
      <FilterField name="callback" label="Exact callback id" type="text" />
      {hasFilters() ? <Button onClick={clearFilters}>Clear filters</Button> : null}
    </div>
  )
  return { fields, panel }
}
