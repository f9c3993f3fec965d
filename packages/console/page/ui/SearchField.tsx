/** A field that narrows a list: what it holds stands in the address when nobody writes any more. */
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
