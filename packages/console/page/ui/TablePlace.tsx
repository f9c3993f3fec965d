/** A table in a place that scrolls where it is wider than the window. */
import type { ComponentChildren } from "preact"
import { Scroll } from "./Scroll.tsx"

/** Shows the table. */
export const TablePlace = (given: {
  readonly label: string
  readonly children: ComponentChildren
}) => (
  <Scroll label={given.label}>
    <table class="table">{given.children}</table>
  </Scroll>
)
