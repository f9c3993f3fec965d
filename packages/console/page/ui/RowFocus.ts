/** Moves the focus between the rows of a list, and to the next row if a row disappears. */
import type { RefObject, TargetedKeyboardEvent } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"

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

export const useRowFocus = (
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
