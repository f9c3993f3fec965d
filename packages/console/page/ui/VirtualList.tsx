/**
 * A list of which only the lines in sight are drawn: ten thousand lines cost what thirty do. Lines
 * have one height. The arrows move from one to the next.
 */
import { useSignal, useSignalEffect } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"

/** Lines beyond the edge, so that a quick hand sees no gap. */
const overscan = 8

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

/** Who had the focus in a line: the line, and whether it was one of its buttons. */
interface Focused {
  readonly index: number
  readonly isButton: boolean
}

const focusIn = (list: HTMLElement, { index, isButton }: Focused): void => {
  const row = list.querySelector<HTMLElement>(`[data-index="${index}"]`)
  const buttons = isButton ? row?.querySelectorAll("button") : undefined
  const target = buttons?.item(buttons.length - 1) ?? row?.querySelector("a")
  target?.focus({ preventScroll: true })
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }

/** Shows the list, as far as it is in sight. */
export const VirtualList = <Item,>(given: Given<Item>) => {
  const { items, keyOf, label, onEnd, render, rowHeight } = given
  const list = useRef<HTMLOListElement>(null)
  const first = useSignal(0)
  const count = useSignal(30)

  const latest = useRef(items)
  latest.current = items
  /** The first line in sight, where the list begins above the window. */
  const inSight = useRef({ key: "", index: 0 })
  const topOf = (): number => list.current?.getBoundingClientRect().top ?? 0
  const noteSight = (): void => {
    const index = Math.max(0, Math.floor(-topOf() / rowHeight))
    const item = latest.current[index]
    inSight.current = { key: item === undefined ? "" : keyOf(item), index }
  }
  const measure = (): void => {
    first.value = Math.max(0, Math.floor(-topOf() / rowHeight) - overscan)
    count.value = Math.ceil(window.innerHeight / rowHeight) + 2 * overscan
    noteSight()
  }
  useEffect(() => {
    measure()
    const options = { passive: true }
    window.addEventListener("scroll", measure, options)
    window.addEventListener("resize", measure, options)
    return () => {
      window.removeEventListener("scroll", measure)
      window.removeEventListener("resize", measure)
    }
  }, [rowHeight])
  const end = useSignal(onEnd)
  end.value = onEnd
  const length = useSignal(items.length)
  length.value = items.length
  useSignalEffect(() => {
    if (first.value + count.value >= length.value) end.peek()?.()
  })

  const focused = useRef<Focused | undefined>(undefined)
  useLayoutEffect(() => {
    const { index, key } = inSight.current
    const now = topOf() < 0 ? items.findIndex((item) => keyOf(item) === key) : -1
    // What comes above pushes nothing away from under the pointer.
    if (now > index) window.scrollBy({ top: (now - index) * rowHeight, behavior: "instant" })
    noteSight()
    // The line that had the focus has gone: the next one has it.
    const isLost = document.activeElement === document.body
    if (isLost && focused.current !== undefined && list.current !== null) {
      const { index: before, isButton } = focused.current
      focusIn(list.current, { index: Math.min(before, items.length - 1), isButton })
    }
  }, [items])

  const from = Math.min(first.value, Math.max(0, items.length - 1))
  const shown = items.slice(from, from + count.value)
  return (
    <ol
      class="virtual"
      ref={list}
      aria-label={label}
      style={{ height: `${items.length * rowHeight}px` }}
      onFocusIn={({ target }) => {
        const row = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null
        const isButton = target instanceof HTMLButtonElement
        focused.current = row === null ? undefined : { index: Number(row.dataset.index), isButton }
      }}
      onFocusOut={({ target }) => {
        // One that was taken away has not been left.
        setTimeout(() => {
          const isLeft = target instanceof Element && target.isConnected
          if (isLeft && !list.current?.contains(document.activeElement)) focused.current = undefined
        })
      }}
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
