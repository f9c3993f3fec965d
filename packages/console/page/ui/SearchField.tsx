/** Filter fields for lists: search, status, and segmented choices. */

import type { Signal } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { query, setQuery } from "../Router.ts"
import { Icon } from "./Icon.tsx"

/** The pause in typing after which the list is loaded. */
const restMillis = 250

/** Shows the search field. */
export const SearchField = (props: {
  /** The field's query parameter in the address. */
  readonly name: string
  readonly id: string
  readonly label: string
  readonly placeholder?: string
  readonly pattern?: string
}) => {
  const { id, label, name, pattern, placeholder = label } = props
  const field = useRef<HTMLInputElement>(null)
  const timer = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  const value = query.value.get(name) ?? ""
  // The address changes if the user goes back or clears the filters. This runs before painting, so
  // that no typed letter is lost.
  useLayoutEffect(() => {
    const { current } = field
    if (current !== null && current.value.trim() !== value) current.value = value
  }, [value])
  return (
    <label class="search-field">
      <span class="hidden">{label}</span>
      <Icon name="search" />
      <input
        ref={field}
        class="input"
        type="search"
        id={id}
        placeholder={placeholder}
        pattern={pattern}
        defaultValue={value}
        spellcheck={false}
        onInput={(event) => {
          const { currentTarget } = event
          clearTimeout(timer.current)
          timer.current = window.setTimeout(() => {
            if (currentTarget.validity.valid) setQuery(name, currentTarget.value.trim())
          }, restMillis)
        }}
      />
    </label>
  )
}

/** Shows the choice of a status. */
export const StatusField = <Status extends string>(props: {
  readonly statuses: ReadonlyArray<Status>
  readonly wordOf: (status: Status) => string
}) => (
  <label class="select-field">
    <span class="hidden">Status</span>
    <select
      class="select"
      value={query.value.get("status") ?? ""}
      onChange={(event) => setQuery("status", event.currentTarget.value)}
    >
      <option value="">All statuses</option>
      {props.statuses.map((status) => (
        <option key={status} value={status}>
          {props.wordOf(status)}
        </option>
      ))}
    </select>
  </label>
)

/** Shows a segmented choice; `wordOf` returns the label of each option. */
export const Segments = <Choice extends number | string>(props: {
  /** The label for screen readers. */
  readonly label: string
  readonly choices: ReadonlyArray<Choice>
  readonly chosen: Signal<Choice>
  readonly wordOf: (choice: Choice) => string
}) => (
  <fieldset class="segments">
    <legend class="hidden">{props.label}</legend>
    {props.choices.map((choice) => (
      <button
        key={choice}
        type="button"
        class="segment hint"
        aria-pressed={props.chosen.value === choice}
        onClick={() => {
          props.chosen.value = choice
        }}
      >
        {props.wordOf(choice)}
      </button>
    ))}
  </fieldset>
)
