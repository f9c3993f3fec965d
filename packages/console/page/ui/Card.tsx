/** Parts of screens: card, table, back link and badge. */
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { linkTo } from "../Router.ts"
import { Icon } from "./Icon.tsx"

/** Shows a card. */
export const Card = (props: { readonly title: string; readonly children: ComponentChildren }) => {
  const id = useId()
  return (
    <section class="card box stack" aria-labelledby={id}>
      <h2 id={id}>{props.title}</h2>
      {props.children}
    </section>
  )
}

/** Shows a table that scrolls if it is wider than the window. */
export const ScrollTable = (props: {
  readonly label: string
  readonly children: ComponentChildren
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
  <section class="scroll" tabIndex={0} aria-label={props.label}>
    <table class="table">{props.children}</table>
  </section>
)

/** Shows the link back to a list. */
export const Back = ({ to, word }: { readonly to: string; readonly word: string }) => (
  <a class="back hint" href={linkTo(to)}>
    <Icon name="back" />
    {word}
  </a>
)

/** Shows a status word in its tone's colour. */
export const Badge = (props: { readonly tone: string; readonly children: ComponentChildren }) => (
  <span class={`badge is-${props.tone}`}>
    <span class="badge-dot" aria-hidden="true" />
    {props.children}
  </span>
)
