/** A list that renders only visible rows, and moves the focus between rows. */
import { useSignal } from "@preact/signals"
import type { ComponentChildren, RefObject, TargetedKeyboardEvent } from "preact"
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { type Heights, makeHeights } from "./Heights.ts"
import { isPrinting, useWindowEvents } from "./Theme.ts"

/** Rows are rendered this far beyond the window, so that fast scrolling shows no gaps. */
const overscan = 600

/** Maximum number of equally high rows to print: about forty sheets. */
const printMax = 1_000

interface Props<Item> {
  readonly label: string
  readonly items: ReadonlyArray<Item>
  /** The height of every row, or estimates that are corrected once rows are rendered. */
  readonly heights: Heights | number
  readonly keyOf: (item: Item) => string
  readonly render: (item: Item, index: number) => ComponentChildren
  /** The index of a row that stays rendered out of view, so that it keeps its focus, or -1. */
  readonly kept?: number
  readonly onEnd?: () => void
}

type List = RefObject<HTMLOListElement | null>
const useVisible = <Item,>(list: List, heights: Heights, props: Props<Item>) => {
  const { items, keyOf, onEnd } = props
  const isMeasured = typeof props.heights !== "number"
  const visible = useSignal({ from: 0, to: 30 })
  const topOf = (): number => list.current?.getBoundingClientRect().top ?? 0
  const noteSight = useAnchor({ items, keyOf, heights, topOf })
  const look = (): void => {
    const top = topOf()
    const from = heights.indexAt(-top - overscan)
    const to = heights.indexAt(window.innerHeight - top + overscan) + 1
    const before = visible.peek()
    if (before.from !== from || before.to !== to) visible.value = { from, to }
    noteSight()
  }
  useEffect(look, [heights])
  useWindowEvents(["scroll", "resize"], look)
  useLayoutEffect(() => {
    if (!isMeasured) return
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-index]") ?? [])]
    // All rows are measured before anything is written, so that the page is laid out only once.
    const measured = rows.map((row) => ({
      index: Number(row.dataset.index),
      height: row.offsetHeight
    }))
    if (heights.note(measured)) look()
  })
  const { from, to } = visible.value
  useEffect(() => {
    if (to >= items.length) onEnd?.()
  }, [from, to, items.length])
  if (isPrinting.value) return { from: 0, to: isMeasured ? items.length : printMax }
  return { from: Math.min(from, Math.max(0, items.length - 1)), to }
}

const rowsOf = (
  { from, to }: { readonly from: number; readonly to: number },
  { items, kept = -1 }: Pick<Props<unknown>, "items" | "kept">
): ReadonlyArray<number> => {
  const end = Math.min(to, items.length)
  const seen = Array.from({ length: Math.max(0, end - from) }, (_, offset) => from + offset)
  if (kept < 0 || kept >= items.length) return seen
  if (kept < from) return [kept, ...seen]
  return kept >= end ? [...seen, kept] : seen
}

const Space = ({ height }: { readonly height: number }) => (
  <li aria-hidden="true" style={{ height: `${isPrinting.value ? 0 : height}px` }} />
)

export const VirtualList = <Item,>(props: Props<Item>) => {
  const { items, keyOf, label, render } = props
  const list = useRef<HTMLOListElement>(null)
  const isFixed = typeof props.heights === "number"
  const heights = useMemo(() => {
    const { heights: given } = props
    return typeof given === "number" ? makeHeights(items.map(() => given)) : given
  }, [items, props.heights])
  const rows = rowsOf(useVisible(list, heights, props), props)
  const spaceBetween = (end: number, start: number) => heights.topOf(start) - heights.topOf(end)
  const focus = useRowFocus(list, items)
  return (
    <ol
      class={isFixed ? "virtual box" : ""}
      ref={list}
      aria-label={label}
      onFocusIn={focus.noteFocus}
      onFocusOut={focus.noteLeft}
      onKeyDown={moveInList}
    >
      <Space height={heights.topOf(rows[0] ?? 0)} />
      {rows.flatMap((index, position) => {
        const item = items[index]
        if (item === undefined) return []
        const end = (rows[position - 1] ?? index - 1) + 1
        const row = (
          <li
            key={keyOf(item)}
            data-index={index}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            style={isFixed ? { height: `${props.heights}px` } : {}}
          >
            {render(item, index)}
          </li>
        )
        return end < index ? [<Space key="space" height={spaceBetween(end, index)} />, row] : [row]
      })}
      <Space height={spaceBetween((rows.at(-1) ?? -1) + 1, items.length)} />
    </ol>
  )
}

interface Anchored<Item> extends Pick<Props<Item>, "items" | "keyOf"> {
  readonly heights: Heights
  readonly topOf: () => number
}

/** Keeps the first visible row in place when rows are inserted above it. */
const useAnchor = <Item,>({ heights, items, keyOf, topOf }: Anchored<Item>): (() => void) => {
  const latest = useRef(items)
  latest.current = items
  const inSight = useRef({ key: "", index: 0 })
  const noteSight = (): void => {
    const index = heights.indexAt(-topOf())
    const item = latest.current[index]
    inSight.current = { key: item === undefined ? "" : keyOf(item), index }
  }
  useLayoutEffect(() => {
    const { index, key } = inSight.current
    const now = topOf() < 0 ? items.findIndex((item) => keyOf(item) === key) : -1
    if (now > index) {
      window.scrollBy({ top: heights.topOf(now) - heights.topOf(index), behavior: "instant" })
    }
    noteSight()
  }, [items])
  return noteSight
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }
export const moveInList = (event: TargetedKeyboardEvent<HTMLElement>): void => {
  const rows = [...event.currentTarget.children]
  const step = steps[event.key]
  const now = rows.findIndex((row) => row.contains(document.activeElement))
  if (step === undefined || now < 0) return
  const link = rows[now + step]?.querySelector<HTMLElement>("a[href]")
  if (link === null || link === undefined) return
  event.preventDefault()
  link.focus()
  link.scrollIntoView({ block: "nearest" })
}

type Focused = Readonly<{ index: number; isButton: boolean }>
const focusIn = (list: HTMLElement, { index, isButton }: Focused): void => {
  const row = list.querySelector<HTMLElement>(`[data-index="${index}"]`)
  const buttons = isButton ? row?.querySelectorAll("button") : undefined
  const target = buttons?.item(buttons.length - 1) ?? row?.querySelector("a")
  target?.focus({ preventScroll: true })
}

const useRowFocus = (
  list: RefObject<HTMLElement | null>,
  items: ReadonlyArray<unknown>
): Record<"noteFocus" | "noteLeft", (event: FocusEvent) => void> => {
  const focused = useRef<Focused | undefined>(undefined)
  useLayoutEffect(() => {
    const isLost = document.activeElement === document.body
    if (!isLost || focused.current === undefined || list.current === null) return
    const { index, isButton } = focused.current
    focusIn(list.current, { index: Math.min(index, items.length - 1), isButton })
  }, [items])
  return {
    noteFocus: ({ target }) => {
      const row = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null
      const isButton = target instanceof HTMLButtonElement
      focused.current = row === null ? undefined : { index: Number(row.dataset.index), isButton }
    },
    noteLeft: ({ target }) => {
      // If the row is gone by then, it was removed, and the next row gets the focus.
      setTimeout(() => {
        const isLeft = target instanceof Element && target.isConnected
        if (isLeft && !list.current?.contains(document.activeElement)) focused.current = undefined
      })
    }
  }
}
