/** Where the page begins: who uses it, and then the screen that the address names. */
import { signal } from "@preact/signals"
import { render } from "preact"
import { useEffect } from "preact/hooks"
import { Login, Refused } from "./login/KeyForm.tsx"
import { holdsDrafts } from "./session/Drafts.ts"
import { lookUp, standing } from "./session/Session.ts"
import { Shell } from "./shell/Shell.tsx"
import { askBeforeLeaving } from "./ui/Deferred.ts"
import { keepHandSteady } from "./ui/SteadyHand.ts"

/** How long to wait before a server that did not answer is asked again. */
const againMillis = 2_000

askBeforeLeaving(holdsDrafts)
keepHandSteady()

const isWaiting = signal(false)

const ask = (): void => {
  lookUp().catch(() => {
    isWaiting.value = true
    setTimeout(ask, againMillis)
  })
}

const Waiting = () => (
  <main class="waiting" aria-label="Loading">
    <p role="status" class={isWaiting.value ? "note" : ""}>
      {isWaiting.value ? "The server does not answer. This goes on as soon as it does." : ""}
    </p>
  </main>
)

const Page = () => {
  useEffect(ask, [])
  const now = standing.value
  if (now.is === "asking") return <Waiting />
  if (now.is === "refused") return <Refused why={now.why} again={ask} />
  return now.is === "out" ? (
    <Login {...(now.why === undefined ? {} : { why: now.why })} />
  ) : (
    <Shell />
  )
}

const place = document.getElementById("page")
if (place !== null) render(<Page />, place)
