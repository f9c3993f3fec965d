/**
 * A list that renders only visible rows, so that ten thousand rows cost as much as thirty. All rows
 * have the same height. Arrow keys move between rows.
 */

import { useSignal, useSignalEffect } from "@preact/signals"
import type { ComponentChildren, RefObject } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { useRowFocus } from "./RowFocus.ts"
import { isPrinting, useWindowChange } from "./Theme.ts"

/** Number of extra rows beyond the edges, so that fast scrolling shows no gap. */
const overscan = 8

/** Maximum number of printed rows: about forty sheets. */
const printMax = 1_000

interface Props<Item> {
  readonly label: string
  readonly items: ReadonlyArray<Item>
  readonly rowHeight: number
  readonly keyOf: (item: Item) => string
  readonly render: (item: Item, index: number) => ComponentChildren
  /** Called when the last rows are visible, to load more. */
  readonly onEnd?: () => void
}

const moveFocus = (list: HTMLElement, step: number): boolean => {
  const row = document.activeElement?.closest<HTMLElement>("[data-index]")
  if (row === null || row === undefined || !list.contains(row)) return false
  const wanted = Number(row.dataset.index) + step
  const target = list.querySelector<HTMLElement>(`[data-index="${wanted}"] a[href]`)
  target?.focus()
  target?.scrollIntoView({ block: "nearest" })
  return target !== null
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }

/** Returns the visible rows, and calls `onEnd` when they include the last ones. */
const useLines = <Item,>(
  list: RefObject<HTMLOListElement | null>,
  { items, keyOf, onEnd, rowHeight }: Props<Item>
) => {
  const first = useSignal(0)
  const count = useSignal(30)
  const topOf = (): number => list.current?.getBoundingClientRect().top ?? 0
  const noteSight = useAnchor({ items, keyOf, rowHeight, topOf })
  const measure = (): void => {
    first.value = Math.max(0, Math.floor(-topOf() / rowHeight) - overscan)
    count.value = Math.ceil(window.innerHeight / rowHeight) + 2 * overscan
    noteSight()
  }
  useWindowChange(measure, [rowHeight])
  const end = useSignal(onEnd)
  end.value = onEnd
  const all = useSignal(items)
  all.value = items
  useSignalEffect(() => {
    if (first.value + count.value >= all.value.length) end.peek()?.()
  })
  return isPrinting.value
    ? { from: 0, size: printMax }
    : { from: Math.min(first.value, Math.max(0, items.length - 1)), size: count.value }
}

/** Shows the list. */
export const VirtualList = <Item,>(props: Props<Item>) => {
  const { items, keyOf, label, render, rowHeight } = props
  const list = useRef<HTMLOListElement>(null)
  const { from, size } = useLines(list, props)
  const focus = useRowFocus(list, items)
  const shown = items.slice(from, from + size)
  const heightOf = (count: number): string => `${count * rowHeight}px`
  return (
    <ol
      class="virtual box"
      ref={list}
      aria-label={label}
      style={{
        "--height": heightOf(items.length),
        "--height-on-paper": heightOf(Math.min(items.length, printMax))
      }}
      onFocusIn={focus.noteFocus}
      onFocusOut={focus.noteLeft}
      onKeyDown={(event) => {
        const step = steps[event.key]
        if (step === undefined || list.current === null) return
        if (moveFocus(list.current, step)) event.preventDefault()
      }}
    >
      {shown.map((item, offset) => (
        <li
          key={keyOf(item)}
          data-index={from + offset}
          aria-setsize={items.length}
          aria-posinset={from + offset + 1}
          style={{
            height: `${rowHeight}px`,
            transform: `translateY(${(from + offset) * rowHeight}px)`
          }}
        >
          {render(item, from + offset)}
        </li>
      ))}
    </ol>
  )
}

interface Anchored<Item> {
  readonly items: ReadonlyArray<Item>
  readonly keyOf: (item: Item) => string
  readonly rowHeight: number
  /** Distance from the top of the window to the top of the list. */
  readonly topOf: () => number
}

/**
 * Keeps the first visible row at its position when rows are inserted above. Returns a function to
 * call after scrolling.
 */
const useAnchor = <Item,>({ items, keyOf, rowHeight, topOf }: Anchored<Item>): (() => void) => {
  const latest = useRef(items)
  latest.current = items
  /** The first visible row, if the list begins above the window. */
  const inSight = useRef({ key: "", index: 0 })
  const noteSight = (): void => {
    const index = Math.max(0, Math.floor(-topOf() / rowHeight))
    const item = latest.current[index]
    inSight.current = { key: item === undefined ? "" : keyOf(item), index }
  }
  useLayoutEffect(() => {
    const { index, key } = inSight.current
    const now = topOf() < 0 ? items.findIndex((item) => keyOf(item) === key) : -1
    if (now > index) window.scrollBy({ top: (now - index) * rowHeight, behavior: "instant" })
    noteSight()
  }, [items])
  return noteSight
}
