/** Which jobs are listed: by status, by day, by their whole `callback_id`, and by text. */

import { useSignal } from "@preact/signals"
import type { Options } from "@verbatim/client"
import { useEffect } from "preact/hooks"
import { query, setQuery } from "../Router.ts"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Forms.tsx"
import { SearchField, StatusField } from "../ui/SearchField.tsx"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { type ListedJob, statuses, toShown } from "./JobTraits.ts"

/** What of the list is fetched. */
export interface Wanted {
  readonly status: ListedJob["status"] | undefined
  /** Days of the reader, the last one included; empty where any will do. */
  readonly from: string
  readonly until: string
  readonly callback: string
}

const day = /^\d{4}-\d\d-\d\d$/

const dayOf = (name: string): string => {
  const text = query.value.get(name) ?? ""
  return day.test(text) ? text : ""
}

/** As the address says. */
export const wantedNow = (): Wanted => ({
  status: statuses.find((status) => status === query.value.get("status")),
  from: dayOf("from"),
  until: dayOf("until"),
  callback: query.value.get("callback") ?? ""
})

/** The text that is looked for. */
export const textNow = (): string => query.value.get("text") ?? ""

/** Whether some jobs may be hidden. */
export const isNarrowed = (): boolean =>
  textNow() !== "" || Object.values(wantedNow()).some((part) => part !== undefined && part !== "")

/** Lists all jobs again. */
export const clearFilters = (): void => {
  for (const name of ["status", "from", "until", "callback", "text"]) setQuery(name, "")
}

/** The beginning of a day of the reader, some days later. */
const startOf = (text: string, days: number): Date => {
  const [year = 0, month = 1, date = 1] = text.split("-").map(Number)
  return new Date(year, month - 1, date + days)
}

/** As the API takes it. */
export const toListOptions = ({
  callback,
  from,
  status,
  until
}: Wanted): Options<"transcriptions.list"> => ({
  status,
  callback_id: callback || undefined,
  created_after: from === "" ? undefined : startOf(from, 0),
  created_before: until === "" ? undefined : startOf(until, 1)
})

const DayField = ({ name, word }: { readonly name: "from" | "until"; readonly word: string }) => (
  <Field label={word}>
    <input
      class="input"
      type="date"
      value={dayOf(name)}
      onChange={(event) => setQuery(name, event.currentTarget.value)}
    />
  </Field>
)

const CallbackField = () => (
  <Field label="Callback id, whole">
    <input
      class="input"
      type="text"
      spellcheck={false}
      value={query.value.get("callback") ?? ""}
      onChange={(event) => setQuery("callback", event.currentTarget.value.trim())}
    />
  </Field>
)

const panelId = "job-filters"

const countMore = ({ callback, from, until }: Wanted): number =>
  [callback, from, until].filter((part) => part !== "").length

/** Shows the fields that are always there, and the button for the others. */
export const useFilters = () => {
  const more = countMore(wantedNow())
  const isOpen = useSignal(false)
  // A link may bring some.
  useEffect(() => {
    if (more > 0) isOpen.value = true
  }, [more > 0])
  useShortcuts([
    { keys: "/", does: "Look for a job", run: () => document.getElementById("jobs-text")?.focus() },
    {
      keys: "f",
      does: "Filter by day or callback id",
      run: () => {
        isOpen.value = !isOpen.value
      }
    }
  ])
  const fields = (
    <>
      <SearchField
        name="text"
        id="jobs-text"
        label="Look for a job by name, file or id"
        placeholder="Name, file or id"
      />
      <StatusField statuses={statuses} wordOf={(status) => toShown(status).word} />
      <Button
        icon="filter"
        aria-expanded={isOpen.value}
        aria-controls={panelId}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        {more === 0 ? "Filter" : `Filter (${more})`}
      </Button>
    </>
  )
  const panel = (
    <div class="filters box" id={panelId} hidden={!isOpen.value}>
      <DayField name="from" word="From" />
      <DayField name="until" word="Until" />
      <CallbackField />
      {isNarrowed() ? <Button onClick={clearFilters}>Show all jobs</Button> : null}
    </div>
  )
  return { fields, panel }
}
