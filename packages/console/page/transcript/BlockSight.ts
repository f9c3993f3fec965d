/** The blocks of a transcript that are in sight: they are drawn, and the others have their room. */
import { useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useLayoutEffect, useMemo } from "preact/hooks"
import { isPrinting, useWindowChange } from "../ui/Theme.ts"
import { type Block, guessHeight, type Heights, makeHeights } from "./Blocks.ts"

/** Drawn beyond the edges, in pixels. */
const overscan = 600

/** The blocks that are drawn: from one, and up to another. */
interface Sight {
  readonly from: number
  readonly to: number
  readonly heights: Heights
}

/** Looks which are in sight whenever the window moves, and measures those that are drawn. */
export const useSight = (
  list: RefObject<HTMLOListElement | null>,
  blocks: ReadonlyArray<Block>
): Sight => {
  const shown = useSignal({ from: 0, to: 12 })
  const heights = useMemo(() => makeHeights(blocks.map(guessHeight)), [blocks])
  const look = (): void => {
    const top = list.current?.getBoundingClientRect().top ?? 0
    const from = heights.indexAt(Math.max(0, -top - overscan))
    const to = heights.indexAt(Math.max(0, -top + window.innerHeight + overscan)) + 1
    const before = shown.peek()
    if (before.from !== from || before.to !== to) shown.value = { from, to }
  }
  useWindowChange(look, [heights])
  useLayoutEffect(() => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>("[data-block]") ?? [])]
    // Asked for all at once, and only then written: the page is laid out once.
    const measured = items.map((item) => ({
      index: Number(item.dataset.block),
      height: item.offsetHeight
    }))
    if (heights.note(measured)) look()
  })
  const { from, to } = isPrinting.value ? { from: 0, to: blocks.length } : shown.value
  return { from, to: Math.min(to, blocks.length), heights }
}
