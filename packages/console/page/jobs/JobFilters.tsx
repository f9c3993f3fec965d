/** Filters for a list of jobs: words, cause, days, `callback_id`, name. Tabs select the status. */
import type { TargetedEvent } from "preact"
import { useEffect } from "preact/hooks"
import { api, operatorApi } from "../Api.ts"
import { query, setQuery } from "../Router.ts"
import { canReadJobs, isOperator } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { chosenIn, QueryField, SelectField, TextField, useOpening } from "../ui/Forms.tsx"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { scope, WorkspaceField } from "../workspaces/WorkspaceField.tsx"
import { causeWords, isCause, type ListedJob, statuses } from "./JobTraits.ts"

const textOf = (name: string): string => query.value.get(name) ?? ""
const dayOf = (name: string): string => (/^\d{4}-\d\d-\d\d$/.test(textOf(name)) ? textOf(name) : "")

/** The filters that the address names and the server applies. An empty filter has no effect. */
export const currentFilters = () => {
  const isAll = isOperator.value && (!canReadJobs() || chosenIn(scope) === "all")
  const cause = textOf("cause")
  return {
    isAll,
    workspace: isAll ? textOf("workspace") : "",
    status: statuses.find((status) => status === textOf("status")),
    cause: isCause(cause) ? cause : "",
    /** The first and last day, inclusive, in the reader's time zone. */
    from: dayOf("from"),
    until: dayOf("until"),
    callback: textOf("callback"),
    words: isAll ? "" : textOf("words")
  } as const
}

export type Filters = ReturnType<typeof currentFilters>
export const currentText = (): string => textOf("text")
const countMore = (): number => {
  const { isAll: _, status: __, ...more } = currentFilters()
  return Object.values(more).filter((part) => part !== "").length
}

export const hasFilters = (): boolean =>
  currentText() !== "" || currentFilters().status !== undefined || countMore() > 0

export const hasOnlyStatus = (): boolean =>
  currentText() === "" && countMore() === Number(currentFilters().workspace !== "")

export const clearFilters = (): void => {
  const { isAll: _, ...filters } = currentFilters()
  for (const name of [...Object.keys(filters), "text"]) setQuery(name, "")
}

const startOfDay = (text: string, days: number): Date | undefined => {
  const [year = 0, month = 1, date = 1] = text.split("-").map(Number)
  return text === "" ? undefined : new Date(year, month - 1, date + days)
}

export const pageMax = 100
export const queryOf = (filters: Partial<Filters>, before?: Date) => {
  const { callback, cause, from = "", isAll, status, until = "", words, workspace } = filters
  const ends = [startOfDay(until, 1), before].filter((end) => end !== undefined)
  return {
    status,
    cause: cause || undefined,
    callback_id: callback || undefined,
    created_after: startOfDay(from, 0),
    created_before: ends.length === 0 ? undefined : new Date(Math.min(...ends.map(Number))),
    limit: pageMax,
    ...(isAll === true ? { workspace_id: workspace || undefined } : { q: words || undefined })
  }
}

export type Query = ReturnType<typeof queryOf>

export const listJobs = (
  filters: Partial<Filters>,
  page: Readonly<{ signal: AbortSignal; cursor?: string | undefined; callback_id?: string }>
): Promise<{ readonly data: ReadonlyArray<ListedJob>; readonly next_cursor: string | null }> => {
  const options = { ...queryOf(filters), ...page }
  return filters.isAll === true ? operatorApi.work.jobs(options) : api.transcriptions.list(options)
}

/** Shows a filter. Typed text is kept if the list changes before the text is submitted. */
const filterField = (name: string, label: string) => ({
  label,
  shown: textOf(name),
  spellcheck: false,
  onChange: ({ currentTarget }: TargetedEvent<HTMLInputElement>) =>
    setQuery(name, currentTarget.value.trim())
})

const panelId = "job-filters"

export const useFilters = () => {
  const { cause, isAll } = currentFilters()
  const more = countMore()
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
    <div class="filters pane inline-form box" id={panelId} hidden={!isOpen.value}>
      {isAll ? (
        <WorkspaceField isVisible={isOpen.value} />
      ) : (
        <TextField {...filterField("words", "Words in the transcript")} />
      )}
      <SelectField
        label="Cause of the failure"
        value={cause}
        onChange={(value) => setQuery("cause", value)}
        options={[["", "Any"], ...Object.entries(causeWords)]}
      />
      <TextField type="date" {...filterField("from", "From")} />
      <TextField type="date" {...filterField("until", "Until")} />
      <TextField {...filterField("callback", "Exact callback id")} />
      {hasFilters() ? <Button onClick={clearFilters}>Clear filters</Button> : null}
    </div>
  )
  return { fields, panel }
}
