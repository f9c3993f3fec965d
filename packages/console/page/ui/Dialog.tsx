/** A dialog of the browser: it keeps the focus inside, and Escape closes it. */
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"
import { Icon } from "./Icon.tsx"
import { Toasts } from "./Toasts.tsx"

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
  useEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    // Whoever opened it goes on from there, also where it is taken away when it has been sent.
    return () => {
      const isLost = document.activeElement === document.body
      if (isLost && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [])
  return (
    <dialog
      class={given.isWide === true ? "dialog is-wide" : "dialog"}
      ref={dialog}
      aria-labelledby={id}
      onClose={given.onClose}
    >
      <header class="dialog-head">
        <h2 id={id}>{given.title}</h2>
        <button
          type="button"
          class="icon-button"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" />
        </button>
      </header>
      <div class="dialog-body">{given.children}</div>
      <Toasts />
    </dialog>
  )
}
