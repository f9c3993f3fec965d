/** The login form: a field for a key, and the server's response. */
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"
import { logIn } from "../session/Session.ts"
import { Button, Logo } from "../ui/Button.tsx"
import { runAllNow } from "../ui/Deferred.ts"
import { Field, FieldFault, useSubmission } from "../ui/Forms.tsx"

type KeyFormProps = Readonly<{ hint: string; verb: string; adds?: boolean; onDone?: () => void }>
export const KeyForm = (props: KeyFormProps) => {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const { fault, isBusy, submit } = useSubmission(async () => {
    // Pending deletes are carried out first, because the key that they need may be replaced.
    if (props.adds === true) await runAllNow()
    const refusal = await logIn(field.current?.value ?? "", props.adds)
    if (refusal === undefined) return props.onDone?.()
    field.current?.select()
    throw new Error(refusal)
  })
  return (
    <form class="stack" onSubmit={submit}>
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
        {props.hint}
      </p>
      <FieldFault id={`${id}-fault`} text={fault.value} />
      <Button class="is-primary is-wide" type="submit" disabled={isBusy.value}>
        {isBusy.value ? "Checking…" : props.verb}
      </Button>
    </form>
  )
}

const hint =
  "A workspace key, such as the one printed at the first start, or an operator key. The server " +
  "keeps it while you are logged in; your browser gets a cookie that scripts cannot read."

const Entrance = ({ children }: { readonly children: ComponentChildren }) => (
  <main class="login">
    <div class="login-card card box stack">
      <Logo />
      <h1>Verbatim console</h1>
      {children}
    </div>
  </main>
)

export const Login = ({ why }: { readonly why: string | undefined }) => (
  <Entrance>
    {why === undefined ? null : <p class="note">{why}</p>}
    <KeyForm hint={hint} verb="Log in" />
  </Entrance>
)

export const Refused = ({ again, why }: { readonly why: string; readonly again: () => void }) => (
  <Entrance>
    <p class="note" role="alert">
      {why}
    </p>
    <Button class="is-primary is-wide" onClick={again} word="Try again" />
  </Entrance>
)
