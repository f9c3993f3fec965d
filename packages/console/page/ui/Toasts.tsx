/**
 * What just happened, in a sentence that stays for a few seconds, and a way back where there is
 * one. Whoever hears the page hears it too.
 */
import { signal } from "@preact/signals"
import { Icon } from "./Icon.tsx"

interface Toast {
  readonly id: number
  readonly text: string
  readonly isFault: boolean
  readonly undo: (() => void) | undefined
}

/** Long enough to read it and to reach the button; undoing has as long. */
export const toastMillis = 7_000

const toasts = signal<ReadonlyArray<Toast>>([])

let made = 0

const remove = (id: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

/** Says something, with a way back where there is one. */
export const notify = (
  text: string,
  { isFault = false, undo }: { readonly isFault?: boolean; readonly undo?: () => void } = {}
): void => {
  made += 1
  const id = made
  toasts.value = [...toasts.value, { id, text, isFault, undo }]
  setTimeout(() => remove(id), toastMillis)
}

/** The place where they appear. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map(({ id, isFault, text, undo }) => (
      <div class={isFault ? "toast is-fault" : "toast"} key={id}>
        <Icon name={isFault ? "alert" : "check"} />
        <span class="toast-text">{text}</span>
        {undo === undefined ? null : (
          <button
            type="button"
            class="button is-small"
            onClick={() => {
              undo()
              remove(id)
            }}
          >
            Undo
          </button>
        )}
        <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => remove(id)}>
          <Icon name="close" />
        </button>
      </div>
    ))}
  </div>
)
