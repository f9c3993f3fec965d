/** Somebody whom the host lets do nothing here. */
import { Mark } from "../ui/Mark.tsx"

/** Says why, and asks again for whoever has logged in there since. */
export const Refused = ({ again, why }: { readonly why: string; readonly again: () => void }) => (
  <main class="login">
    <div class="login-card">
      <Mark />
      <h1>Verbatim console</h1>
      <p class="note" role="alert">
        {why}
      </p>
      <button type="button" class="button is-primary is-wide" onClick={again}>
        Try again
      </button>
    </div>
  </main>
)
