/** A native dialog, which traps the focus and is closed by Escape. */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { IconButton } from "./Button.tsx"
import { Toasts } from "./Toasts.tsx"

export const useOpening = () => {
  const isOpen = useSignal(false)
  const set = (to: boolean) => (): void => {
    isOpen.value = to
  }
  const toggle = (): void => set(!isOpen.peek())()
  return { isOpen, open: set(true), close: set(false), toggle }
}

/** The fields of a dialog, the first of which gets the focus instead of the close button. */
const fields = ".dialog-body :is(input:not([type=checkbox]), select, textarea)"

export const Dialog = (props: {
  readonly title: string
  readonly onClose: () => void
  readonly isWide?: boolean
  readonly children: ComponentChildren
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const isClosed = useRef(false)
  /** The browser restores the focus at once, but fires the close event later. */
  const end = (element: HTMLDialogElement | null): void => {
    isClosed.current = true
    element?.close()
  }
  // When the event fires, the next dialog may already be open, and that dialog must stay open.
  const close = (): void => {
    if (isClosed.current) return
    end(dialog.current)
    props.onClose()
  }
  // A dialog that replaces this one then returns the focus to the same button.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    element?.querySelector<HTMLElement>(fields)?.focus()
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
