/** The login form: a field for a key, and the server's response. */
import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { logIn } from "../session/Session.ts"
import { Button, Logo } from "../ui/Button.tsx"
import { runAllNow } from "../ui/Deferred.ts"
import { Form, TextField, textIn } from "../ui/Forms.tsx"
import { focusSoon } from "../ui/Theme.ts"

type KeyFormProps = Readonly<{ hint: string; verb: string; adds?: boolean; onDone?: () => void }>
export const KeyForm = ({ adds = false, hint, onDone, verb }: KeyFormProps) => {
  useEffect(() => focusSoon("[name=key]"), [])
  const submit = async (form: FormData): Promise<void> => {
    // Pending deletes are carried out first, because the key that they need may be replaced.
    if (adds) await runAllNow()
    const refusal = await logIn(textIn(form, "key"), adds)
    if (refusal !== undefined) throw new Error(refusal)
  }
  return (
    <Form action={verb} submit={submit} fieldOf={() => "key"} onDone={onDone}>
      <TextField
        label="API key"
        hint={hint}
        class="input is-mono"
        type="password"
        name="key"
        autocomplete="off"
        spellcheck={false}
        required
      />
    </Form>
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
