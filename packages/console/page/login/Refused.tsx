/** What somebody sees whom the host lets do nothing here. */
import { Mark } from "../ui/Mark.tsx"

/** Says why, and lets whoever has logged in to the host since try again. */
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
