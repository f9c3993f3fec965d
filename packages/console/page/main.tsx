/** The page's entry point. Loads the session, and then shows the screen that the address names. */
import { signal } from "@preact/signals"
import { render } from "preact"
import { useEffect } from "preact/hooks"
import { Login, Refused } from "./login/KeyForm.tsx"
import { hasDrafts } from "./session/Drafts.ts"
import { loadSession, owner, sessionState } from "./session/Session.ts"
import { Shell } from "./shell/Shell.tsx"
import { confirmBeforeLeaving } from "./ui/Deferred.ts"
import { ignoreRepeats } from "./ui/RepeatGuard.ts"

const retryMillis = 2_000

confirmBeforeLeaving(hasDrafts)
ignoreRepeats()

const isWaiting = signal(false)

const load = (): void => {
  loadSession().catch(() => {
    isWaiting.value = true
    setTimeout(load, retryMillis)
  })
}

const Waiting = () => (
  <main class="login" aria-label="Loading">
    <p role="status" class={isWaiting.value ? "note" : ""}>
      {isWaiting.value ? "The server does not respond. The page resumes as soon as it does." : ""}
    </p>
  </main>
)

const Page = () => {
  useEffect(load, [])
  const state = sessionState.value
  if (state.is === "loading") return <Waiting />
  if (state.is === "refused") return <Refused why={state.why} again={load} />
  return state.is === "loggedOut" ? <Login why={state.why} /> : <Shell key={owner.value} />
}

const root = document.getElementById("page")
if (root !== null) render(<Page />, root)
