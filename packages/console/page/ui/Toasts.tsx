/** What is told for a moment: messages with a way back, and words for screen readers. */

import { signal } from "@preact/signals"
import { useEffect, useMemo } from "preact/hooks"
import { Button, IconButton } from "./Button.tsx"
import { Icon } from "./Icon.tsx"
import { toastMillis } from "./ToastTime.ts"

interface Toast {
  readonly id: number
  readonly text: string
  readonly isFault: boolean
  readonly undo: (() => void) | undefined
  /** Called when the message goes: from then on nothing can be taken back. */
  readonly onOver: (() => void) | undefined
}

/** How often to look whether somebody still points at a message, or is on its buttons. */
const lookMillis = 1_000

/**
 * So much longer a message stays for them at most: ten times as long in all, as WCAG 2.2.1 asks. A
 * pointer may be left there, and what was said to be done has to be done.
 */
const looksMax = (9 * toastMillis) / lookMillis

const toasts = signal<ReadonlyArray<Toast>>([])

let made = 0

const remove = (id: number): void => {
  const found = toasts.value.find((toast) => toast.id === id)
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
  found?.onOver?.()
}

/**
 * Whether somebody points at a message or has the focus in one. After a tap, `:hover` stays; and
 * nobody sees a page that is hidden.
 */
const isHeld = (): boolean => {
  if (document.hidden) return false
  const pointed = matchMedia("(hover: hover)").matches ? ".toasts:hover, " : ""
  return document.querySelector(`${pointed}.toasts:focus-within`) !== null
}

const removeUnseen = (id: number, looks = looksMax): void => {
  if (looks > 0 && isHeld()) setTimeout(() => removeUnseen(id, looks - 1), lookMillis)
  else remove(id)
}

interface ToastOptions {
  readonly isFault?: boolean
  readonly undo?: () => void
  readonly onOver?: () => void
}

/** Says something, with a way back where there is one. */
export const notify = (
  text: string,
  { isFault = false, onOver, undo }: ToastOptions = {}
): void => {
  made += 1
  const id = made
  toasts.value = [...toasts.value, { id, text, isFault, undo, onOver }]
  setTimeout(() => removeUnseen(id), toastMillis)
}

/** Takes the way back that a message offers: once, also where it is clicked before it is gone. */
const takeBack = (toast: Toast | undefined): void => {
  if (toast === undefined || !toasts.value.includes(toast)) return
  toast.undo?.()
  remove(toast.id)
}

/** Takes the way back that the last message offers. */
export const undoLast = (): void =>
  takeBack(toasts.value.findLast(({ undo }) => undo !== undefined))

/** A dialog has a place of its own: nothing beside it can be reached. The last one has them. */
const places = signal<ReadonlyArray<object>>([])

/** A place where they appear. */
export const Toasts = () => {
  const own = useMemo(() => ({}), [])
  useEffect(() => {
    places.value = [...places.value, own]
    return () => {
      places.value = places.value.filter((place) => place !== own)
    }
  }, [])
  const shown = places.value.at(-1) === own ? toasts.value : []
  return (
    <div class="toasts stack-2" role="status" aria-live="polite">
      {shown.map((toast) => (
        <Message key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

const Message = ({ toast }: { readonly toast: Toast }) => (
  <div class={toast.isFault ? "toast bar is-fault" : "toast bar"}>
    <Icon name={toast.isFault ? "alert" : "check"} />
    <span class="toast-text grow" dir="auto">
      {toast.text}
    </span>
    {toast.undo === undefined ? null : (
      <Button class="is-small" onClick={() => takeBack(toast)}>
        Undo
      </Button>
    )}
    <IconButton icon="close" label="Dismiss" onClick={() => remove(toast.id)} />
  </div>
)

const said = signal("")

/** Says them, once whoever listens has heard what came before. */
export const announce = (words: string): void => {
  said.value = words
}

/** Where they are said. */
export const Announcer = () => (
  <p class="hidden" role="status">
    {said}
  </p>
)
