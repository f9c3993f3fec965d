/** A field for a key, and what the server says to it. */

import { useEffect, useId, useRef } from "preact/hooks"
import { logIn } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Field, useSubmission } from "../ui/Forms.tsx"
import { Icon, Mark } from "../ui/Icon.tsx"

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
  useEffect(() => field.current?.focus(), [])
  const { fault, isBusy, submit } = useSubmission(async () => {
    const refusal = await logIn(field.current?.value ?? "", given.adds)
    if (refusal === undefined) return given.onDone?.()
    field.current?.select()
    throw new Error(refusal)
  })
  return (
    <form class="form stack" onSubmit={submit}>
      <Field label="API key">
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
      </Field>
      <p class="hint" id={`${id}-hint`}>
        {given.hint}
      </p>
      <p class="field-fault bar" id={`${id}-fault`} role="alert">
        {fault.value === "" ? null : (
          <>
            <Icon name="alert" />
            {fault.value}
          </>
        )}
      </p>
      <Button class="is-primary is-wide" type="submit" disabled={isBusy.value}>
        {isBusy.value ? "Checking…" : given.verb}
      </Button>
    </form>
  )
}

const hint =
  "A key of a workspace, such as the one that the first start printed, or an operator key. The " +
  "server keeps it while you are logged in; your browser gets a cookie that no script can read."

/** The first screen of a stranger; `why` tells somebody who was logged in before. */
export const Login = ({ why }: { readonly why?: string }) => (
  <main class="login">
    <div class="login-card box stack">
      <Mark />
      <h1>Verbatim console</h1>
      {why === undefined ? null : <p class="note">{why}</p>}
      <KeyForm hint={hint} verb="Log in" />
    </div>
  </main>
)

/** Says why, and lets whoever has logged in to the host since try again. */
export const Refused = ({ again, why }: { readonly why: string; readonly again: () => void }) => (
  <main class="login">
    <div class="login-card box stack">
      <Mark />
      <h1>Verbatim console</h1>
      <p class="note" role="alert">
        {why}
      </p>
      <Button class="is-primary is-wide" onClick={again}>
        Try again
      </Button>
    </div>
  </main>
)
