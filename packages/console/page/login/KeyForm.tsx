/** A field for a key, and what the server says to it. */
import { useSignal } from "@preact/signals"
import { useEffect, useId, useRef } from "preact/hooks"
import { logIn } from "../session/Session.ts"
import { Icon } from "../ui/Icon.tsx"

/** Asks for a key, and begins a session with it or adds it to the one there is. */
export const KeyForm = (given: {
  readonly hint: string
  readonly verb: string
  /** Whether the key is one more for the session that there is. */
  readonly adds?: boolean
  readonly onDone?: () => void
}) => {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const fault = useSignal("")
  const isBusy = useSignal(false)
  useEffect(() => field.current?.focus(), [])
  const submit = async (): Promise<void> => {
    if (isBusy.value) return
    isBusy.value = true
    fault.value = (await logIn(field.current?.value ?? "", given.adds)) ?? ""
    isBusy.value = false
    if (fault.value === "") given.onDone?.()
    else field.current?.select()
  }
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <label class="field">
        <span class="field-label">API key</span>
        <input
          ref={field}
          class="input is-mono"
          type="password"
          name="key"
          autocomplete="off"
          spellcheck={false}
          required
          aria-describedby={`${id}-hint ${id}-fault`}
          aria-invalid={fault.value !== ""}
        />
      </label>
      <p class="hint" id={`${id}-hint`}>
        {given.hint}
      </p>
      <p class="field-fault" id={`${id}-fault`} role="alert">
        {fault.value === "" ? null : (
          <>
            <Icon name="alert" />
            {fault.value}
          </>
        )}
      </p>
      <button type="submit" class="button is-primary is-wide" disabled={isBusy.value}>
        {isBusy.value ? "Checking…" : given.verb}
      </button>
    </form>
  )
}
