/** Where the page begins: who uses it, and then the screen that the address names. */
import { render } from "preact"
import { useEffect } from "preact/hooks"
import { Login } from "./login/Login.tsx"
import { lookUp, standing } from "./session/Session.ts"
import { Shell } from "./shell/Shell.tsx"

/** How long to wait before a server that did not answer is asked again. */
const againMillis = 2_000

const ask = (): void => {
  lookUp().catch(() => setTimeout(ask, againMillis))
}

const Page = () => {
  useEffect(ask, [])
  const now = standing.value
  if (now.is === "asking") return <div class="waiting" role="status" aria-label="Loading" />
  return now.is === "out" ? (
    <Login {...(now.why === undefined ? {} : { why: now.why })} />
  ) : (
    <Shell />
  )
}

const place = document.getElementById("page")
if (place !== null) render(<Page />, place)
