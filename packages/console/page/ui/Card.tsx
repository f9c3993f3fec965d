/** Parts of a screen: a card, a table, the way back, and what stands in a badge. */
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { linkTo } from "../Router.ts"
import { Icon } from "./Icon.tsx"

/** Shows the part. */
export const Card = (given: { readonly title: string; readonly children: ComponentChildren }) => {
  const id = useId()
  return (
    <section class="card box stack" aria-labelledby={id}>
      <h2 id={id}>{given.title}</h2>
      {given.children}
    </section>
  )
}

/** Shows the table, which scrolls where it is wider than the window. */
export const TablePlace = (given: {
  readonly label: string
  readonly children: ComponentChildren
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
  <section class="scroll" tabIndex={0} aria-label={given.label}>
    <table class="table">{given.children}</table>
  </section>
)

/** Shows the way back to the list that something is of. */
export const Back = ({ to, word }: { readonly to: string; readonly word: string }) => (
  <a class="back hint" href={linkTo(to)}>
    <Icon name="back" />
    {word}
  </a>
)

/** Shows how something stands: a word in the colour of its tone. */
export const Badge = (given: { readonly tone: string; readonly children: ComponentChildren }) => (
  <span class={`badge is-${given.tone}`}>
    <span class="badge-dot" aria-hidden="true" />
    {given.children}
  </span>
)
