/** A dialog of the browser: it keeps the focus inside, and Escape closes it. */

import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { IconButton } from "./Button.tsx"
import { Toasts } from "./Toasts.tsx"

/** Whether something is open, and what opens and closes it. */
export const useOpening = () => {
  const isOpen = useSignal(false)
  const set = (to: boolean) => (): void => {
    isOpen.value = to
  }
  return { isOpen, open: set(true), close: set(false) }
}

/** Shows a dialog for as long as it is there. */
export const Dialog = (given: {
  readonly title: string
  readonly onClose: () => void
  /** For what is written into. */
  readonly isWide?: boolean
  readonly children: ComponentChildren
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const isOver = useRef(false)
  /** The browser gives the focus back at once, and tells later that the dialog is closed. */
  const end = (element: HTMLDialogElement | null): void => {
    isOver.current = true
    element?.close()
  }
  // By then somebody may have opened the next one, which must stay.
  const close = (): void => {
    if (isOver.current) return
    end(dialog.current)
    given.onClose()
  }
  // Before it is taken away: a dialog that comes in its place gives the focus to the same opener.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => end(element)
  }, [])
  return (
    <dialog
      class={given.isWide === true ? "dialog box is-wide" : "dialog box"}
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClose={close}
    >
      <header class="dialog-head apart">
        <h2 id={id}>{given.title}</h2>
        <IconButton icon="close" label="Close" onClick={close} />
      </header>
      <div class="dialog-body stack">{given.children}</div>
      <Toasts />
    </dialog>
  )
}
