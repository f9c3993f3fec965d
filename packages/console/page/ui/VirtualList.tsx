/**
 * A list of which only the lines in sight are drawn: ten thousand lines cost what thirty do. Lines
 * have one height. The arrows move from one to the next.
 */

import { useSignal, useSignalEffect } from "@preact/signals"
import type { ComponentChildren, RefObject } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { useRowFocus } from "./RowFocus.ts"
import { isPrinting, useWindowChange } from "./Theme.ts"

/** Lines beyond the edge, so that a quick hand sees no gap. */
const overscan = 8

/** Lines that are printed at most: some forty sheets. */
const printMax = 1_000

interface Given<Item> {
  readonly label: string
  readonly items: ReadonlyArray<Item>
  readonly rowHeight: number
  readonly keyOf: (item: Item) => string
  readonly render: (item: Item, index: number) => ComponentChildren
  /** The last lines are in sight: there may be more to fetch. */
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

/** The lines in sight; it asks for more where the last ones are. */
const useLines = <Item,>(
  list: RefObject<HTMLOListElement | null>,
  { items, keyOf, onEnd, rowHeight }: Given<Item>
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
  const length = useSignal(items.length)
  length.value = items.length
  useSignalEffect(() => {
    if (first.value + count.value >= length.value) end.peek()?.()
  })
  return isPrinting.value
    ? { from: 0, size: printMax }
    : { from: Math.min(first.value, Math.max(0, items.length - 1)), size: count.value }
}

/** Shows the list, as far as it is in sight. */
export const VirtualList = <Item,>(given: Given<Item>) => {
  const { items, keyOf, label, render, rowHeight } = given
  const list = useRef<HTMLOListElement>(null)
  const { from, size } = useLines(list, given)
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
      {shown.map((item, place) => (
        <li
          key={keyOf(item)}
          data-index={from + place}
          aria-setsize={items.length}
          aria-posinset={from + place + 1}
          style={{
            height: `${rowHeight}px`,
            transform: `translateY(${(from + place) * rowHeight}px)`
          }}
        >
          {render(item, from + place)}
        </li>
      ))}
    </ol>
  )
}

interface Anchored<Item> {
  readonly items: ReadonlyArray<Item>
  readonly keyOf: (item: Item) => string
  readonly rowHeight: number
  /** How far below the top of the window the list begins. */
  readonly topOf: () => number
}

/** Keeps the first line in sight where it is; gives what notes it, for whoever scrolls. */
const useAnchor = <Item,>({ items, keyOf, rowHeight, topOf }: Anchored<Item>): (() => void) => {
  const latest = useRef(items)
  latest.current = items
  /** The first line in sight, where the list begins above the window. */
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
