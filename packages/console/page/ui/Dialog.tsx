/** A native dialog: it keeps the focus inside, and Escape closes it. */

import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { IconButton } from "./Button.tsx"
import { Toasts } from "./Toasts.tsx"

/** The state of something that opens and closes. */
export const useOpening = () => {
  const isOpen = useSignal(false)
  const set = (to: boolean) => (): void => {
    isOpen.value = to
  }
  return { isOpen, open: set(true), close: set(false) }
}

/** Shows a dialog while it is mounted. */
export const Dialog = (props: {
  readonly title: string
  readonly onClose: () => void
  /** For large forms. */
  readonly isWide?: boolean
  readonly children: ComponentChildren
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const isClosed = useRef(false)
  /** The browser returns the focus at once, but fires the close event later. */
  const end = (element: HTMLDialogElement | null): void => {
    isClosed.current = true
    element?.close()
  }
  // By then the next dialog may be open, which must stay.
  const close = (): void => {
    if (isClosed.current) return
    end(dialog.current)
    props.onClose()
  }
  // Before it is unmounted, so that a dialog that replaces it returns the focus to the same button.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => end(element)
  }, [])
  return (
    <dialog
      class={props.isWide === true ? "dialog box is-wide" : "dialog box"}
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClose={close}
    >
      <header class="dialog-head apart">
        <h2 id={id}>{props.title}</h2>
        <IconButton icon="close" label="Close" onClick={close} />
      </header>
      <div class="dialog-body stack">{props.children}</div>
      <Toasts />
    </dialog>
  )
}
