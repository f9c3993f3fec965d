/** Logging in: a key, and nothing that a browser would keep. */
import { Mark } from "../ui/Mark.tsx"
import { KeyForm } from "./KeyForm.tsx"

const hint =
  "A key of a workspace, such as the one that the first start printed, or an operator key. The " +
  "server keeps it while you are logged in; your browser gets a cookie that no script can read."

/** The first screen of a stranger; `why` tells somebody who was logged in before. */
export const Login = ({ why }: { readonly why?: string }) => (
  <main class="login">
    <div class="login-card">
      <Mark />
      <h1>Verbatim console</h1>
      {why === undefined ? null : <p class="note">{why}</p>}
      <KeyForm hint={hint} verb="Log in" />
    </div>
  </main>
)
