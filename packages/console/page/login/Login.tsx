/** Logging in: a key, and nothing that a browser would keep. */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { logIn } from "../session/Session.ts"
import { Icon } from "../ui/Icon.tsx"
import { Mark } from "../ui/Mark.tsx"

/** The form; `why` tells somebody who was logged in before. */
export const Login = ({ why }: { readonly why?: string }) => {
  const field = useRef<HTMLInputElement>(null)
  const fault = useSignal("")
  const isBusy = useSignal(false)
  useEffect(() => field.current?.focus(), [])
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (isBusy.value) return
    isBusy.value = true
    fault.value = (await logIn(field.current?.value ?? "")) ?? ""
    isBusy.value = false
    if (fault.value !== "") field.current?.select()
  }
  return (
    <main class="login">
      <form class="login-card" onSubmit={(event) => void submit(event)}>
        <Mark />
        <h1>Verbatim console</h1>
        {why === undefined ? null : <p class="note">{why}</p>}
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
            aria-describedby="key-hint key-fault"
            aria-invalid={fault.value !== ""}
          />
        </label>
        <p class="hint" id="key-hint">
          A key of a workspace, or an operator key. It is kept by the server while you are logged
          in; your browser gets a cookie that no script can read.
        </p>
        <p class="field-fault" id="key-fault" role="alert">
          {fault.value === "" ? null : (
            <>
              <Icon name="alert" />
              {fault.value}
            </>
          )}
        </p>
        <button type="submit" class="button is-primary is-wide" disabled={isBusy.value}>
          {isBusy.value ? "Checking…" : "Log in"}
        </button>
      </form>
    </main>
  )
}
