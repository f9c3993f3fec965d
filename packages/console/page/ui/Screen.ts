/** How wide the window is, for what a style sheet alone cannot arrange. */
import { signal } from "@preact/signals"

/** As the style sheets have it. */
const query = matchMedia("(width < 820px)")

/** Whether it is as narrow as a phone. */
export const isNarrow = signal(query.matches)

query.addEventListener("change", ({ matches }) => {
  isNarrow.value = matches
})
