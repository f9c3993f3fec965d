/** A part of a screen, under a name of its own. */
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
