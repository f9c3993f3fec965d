/** Says a few words to whoever hears the page. */
import { signal } from "@preact/signals"

const said = signal("")

/** Says them, once whoever listens has heard what came before. */
export const announce = (words: string): void => {
  said.value = words
}

/** Where they are said. */
export const Announcer = () => (
  <p class="hidden" role="status">
    {said}
  </p>
)
