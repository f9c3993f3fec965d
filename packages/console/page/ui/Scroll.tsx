/** What may be wider than a phone: it scrolls within its place, by keys too. */
import type { ComponentChildren } from "preact"

/** Shows the place. */
export const Scroll = (given: { readonly label: string; readonly children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
  <section class="scroll" tabIndex={0} aria-label={given.label}>
    {given.children}
  </section>
)
