/** Whether the page is being printed: on paper nothing is out of sight. */
import { signal } from "@preact/signals"

/** As the browser says. */
export const isPrinting = signal(false)

window.addEventListener("beforeprint", () => {
  isPrinting.value = true
})

window.addEventListener("afterprint", () => {
  isPrinting.value = false
})
