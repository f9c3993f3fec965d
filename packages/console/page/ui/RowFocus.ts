/** Whoever uses keys in a list goes on from the next line where the one with the focus has gone. */
import type { RefObject } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"

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

/** Keeps the focus in a list; gives what hears where it goes. */
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
      // One that was taken away has not been left.
      setTimeout(() => {
        const isLeft = target instanceof Element && target.isConnected
        if (isLeft && !list.current?.contains(document.activeElement)) focused.current = undefined
      })
    }
  }
}
