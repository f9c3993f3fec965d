/** Filter fields for lists: search, and segmented choices. */
import { useEffect, useRef } from "preact/hooks"
import { query, setQuery } from "../Router.ts"
import { Icon } from "./Button.tsx"
import { useFieldText } from "./Forms.tsx"
import { useShortcuts } from "./Shortcuts.ts"

const restMillis = 250

interface SearchProps {
  readonly label: string
  /** The name of the `/` shortcut, which focuses the search field. */
  readonly shortcut?: string
  readonly placeholder?: string
  readonly pattern?: string
}

export const SearchField = (
  props: SearchProps & {
    readonly text: string
    readonly onText: (text: string) => void
    readonly onKeyDown?: (event: KeyboardEvent) => void
  }
) => {
  const { label, onKeyDown, onText, pattern, placeholder = label, shortcut, text } = props
  // The text changes if the user goes back or clears the filters.
  const field = useFieldText(text)
  const timer = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  // Selects the earlier text, so that typing replaces it.
  const focus = (): void => {
    field.current?.focus()
    field.current?.select()
  }
  useShortcuts(shortcut === undefined ? [] : [{ keys: "/", does: shortcut, run: focus }])
  return (
    <label class="search-field">
      <span class="hidden">{label}</span>
      <Icon name="search" />
      <input
        ref={field}
        class="input"
        type="search"
        placeholder={placeholder}
        pattern={pattern}
        autocomplete="off"
        spellcheck={false}
        onKeyDown={onKeyDown}
        onInput={({ currentTarget }) => {
          clearTimeout(timer.current)
          timer.current = window.setTimeout(() => {
            if (currentTarget.validity.valid) onText(currentTarget.value.trim())
          }, restMillis)
        }}
      />
    </label>
  )
}

export const QueryField = ({ name, ...props }: SearchProps & { readonly name: string }) => (
  <SearchField
    {...props}
    text={query.value.get(name) ?? ""}
    onText={(text) => setQuery(name, text)}
  />
)

export const Segments = <Choice extends number | string>(props: {
  readonly label: string
  readonly choices: ReadonlyArray<Choice>
  readonly chosen: { value: Choice }
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
