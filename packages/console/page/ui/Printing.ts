/** Whether the page is being printed: on paper nobody scrolls, so all of it has to be there. */
import { signal } from "@preact/signals"

/** Set by the events of the browser. */
export const isPrinting = signal(false)

window.addEventListener("beforeprint", () => {
  isPrinting.value = true
})

window.addEventListener("afterprint", () => {
  isPrinting.value = false
})
