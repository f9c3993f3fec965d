/** Parts of a screen: a card, what scrolls where it is wider than the window, a table in it. */
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

/** Shows the part. */
export const Card = (given: { readonly title: string; readonly children: ComponentChildren }) => {
  const id = useId()
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{given.title}</h2>
      {given.children}
    </section>
  )
}

/** Shows the place. */
const Scroll = (given: { readonly label: string; readonly children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
  <section class="scroll" tabIndex={0} aria-label={given.label}>
    {given.children}
  </section>
)

/** Shows the table. */
export const TablePlace = (given: {
  readonly label: string
  readonly children: ComponentChildren
}) => (
  <Scroll label={given.label}>
    <table class="table">{given.children}</table>
  </Scroll>
)
