/** Whether the page is being printed: paper has no window, so that nothing is out of sight there. */
import { signal } from "@preact/signals"

/** As the browser says. */
export const isPrinting = signal(false)

window.addEventListener("beforeprint", () => {
  isPrinting.value = true
})

window.addEventListener("afterprint", () => {
  isPrinting.value = false
})
