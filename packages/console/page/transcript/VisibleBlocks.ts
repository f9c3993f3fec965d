/**
 * Finds the visible blocks of a transcript. Only visible blocks are rendered; space is left for the
 * others.
 */
import { useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useLayoutEffect, useMemo } from "preact/hooks"
import { isPrinting, useWindowChange } from "../ui/Theme.ts"
import { type Block, guessHeight, type Heights, makeHeights } from "./Blocks.ts"

/** How far beyond the visible part blocks are rendered, in pixels. */
const overscan = 600

/** The rendered blocks, from `from` up to but excluding `to`, and the heights of all blocks. */
interface VisibleRange {
  readonly from: number
  readonly to: number
  readonly heights: Heights
}

/** Updates the range on scroll and resize, and measures the rendered blocks. */
export const useVisibleBlocks = (
  list: RefObject<HTMLOListElement | null>,
  blocks: ReadonlyArray<Block>
): VisibleRange => {
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
    // All blocks are measured before anything is written, so that the page is laid out only once.
    const measured = items.map((item) => ({
      index: Number(item.dataset.block),
      height: item.offsetHeight
    }))
    if (heights.note(measured)) look()
  })
  const { from, to } = isPrinting.value ? { from: 0, to: blocks.length } : shown.value
  return { from, to: Math.min(to, blocks.length), heights }
}
