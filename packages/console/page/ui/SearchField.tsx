/** Fields that narrow a list: a text, a status, one of a few. */

import type { Signal } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { query, setQuery } from "../Router.ts"
import { Icon } from "./Icon.tsx"

/** A list is asked for when somebody has stopped writing. */
const restMillis = 250

/** Shows the field. */
export const SearchField = (given: {
  /** What it is called in the address. */
  readonly name: string
  readonly id: string
  readonly label: string
  readonly placeholder?: string
  readonly pattern?: string
}) => {
  const { id, label, name, pattern, placeholder = label } = given
  const field = useRef<HTMLInputElement>(null)
  const timer = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  const value = query.value.get(name) ?? ""
  // Somebody went back, or wants all of it again. At once: a letter that comes later stays.
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

/** Shows the choice. */
export const StatusField = <Status extends string>(given: {
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
      <option value="">Every status</option>
      {given.statuses.map((status) => (
        <option key={status} value={status}>
          {given.wordOf(status)}
        </option>
      ))}
    </select>
  </label>
)

/** Shows it; `wordOf` is what stands on each. */
export const Segments = <Choice extends number | string>(given: {
  /** What is chosen, for whoever does not see it. */
  readonly label: string
  readonly choices: ReadonlyArray<Choice>
  readonly chosen: Signal<Choice>
  readonly wordOf: (choice: Choice) => string
}) => (
  <fieldset class="segments">
    <legend class="hidden">{given.label}</legend>
    {given.choices.map((choice) => (
      <button
        key={choice}
        type="button"
        class="segment hint"
        aria-pressed={given.chosen.value === choice}
        onClick={() => {
          given.chosen.value = choice
        }}
      >
        {given.wordOf(choice)}
      </button>
    ))}
  </fieldset>
)
