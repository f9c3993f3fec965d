/** Temporary messages with undo, and announcements for screen readers. */
import { signal } from "@preact/signals"
import { useEffect, useMemo } from "preact/hooks"
import { sentenceOf } from "../Api.ts"
import { Button, Icon, IconButton } from "./Button.tsx"
import { toastMillis } from "./Words.ts"

interface ToastOptions {
  readonly isFault?: boolean
  readonly undo?: () => void
  /** A series of actions that can be undone only in reverse order: its last message offers undo. */
  readonly series?: string
  readonly back?: () => void
  readonly onGone?: () => void
  /** Whether the message is no longer true. Messages that are over are hidden. */
  readonly isOver?: () => boolean
}

interface Toast extends ToastOptions {
  readonly id: number
  readonly text: string
}

const lookMillis = 1_000

/** A message stays ten times as long under the pointer or focus (WCAG 2.2.1), but not forever. */
const looksMax = (9 * toastMillis) / lookMillis

/** Whether the pointer moved over the messages: they may appear under a pointer at rest. */
let isPointed = false

const toasts = signal<ReadonlyArray<Toast>>([])
let made = 0

const remove = (id: number): void => {
  const found = toasts.value.find((toast) => toast.id === id)
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
  found?.onGone?.()
}

/** `:hover` persists after a tap, so it counts only on screens with a pointer that hovers. */
const isHeld = (): boolean => {
  if (document.hidden) return false
  const pointed = isPointed && matchMedia("(hover: hover)").matches ? ".toasts:hover, " : ""
  return document.querySelector(`${pointed}.toasts:focus-within`) !== null
}

const removeWhenReleased = (id: number, looks = looksMax): void => {
  if (looks > 0 && isHeld()) setTimeout(() => removeWhenReleased(id, looks - 1), lookMillis)
  else remove(id)
}

export const notify = (text: string, options: ToastOptions = {}): void => {
  made += 1
  if (toasts.value.length === 0) isPointed = false
  const id = made
  toasts.value = [...toasts.value, { ...options, id, text }]
  setTimeout(() => removeWhenReleased(id), toastMillis)
}

export const notifyFault = (cause: unknown): void => notify(sentenceOf(cause), { isFault: true })

const act = (toast: Toast, action: "back" | "undo"): void => {
  if (!toasts.value.includes(toast)) return
  toast[action]?.()
  remove(toast.id)
}

const canUndo = ({ id, series, undo }: Toast): boolean =>
  undo !== undefined &&
  (series === undefined ||
    toasts.value.findLast((each) => each.series === series && each.undo !== undefined)?.id === id)

const currentToasts = () => toasts.value.filter(({ isOver }) => isOver?.() !== true)

export const undoLast = (): void => {
  const last = currentToasts().findLast(({ undo }) => undo !== undefined)
  if (last !== undefined) act(last, "undo")
  else notify("Nothing to undo. In transcripts, use Corrections → Restore.", { isFault: true })
}

/** A dialog shows the messages itself, because nothing outside an open dialog is reachable. */
const hosts = signal<ReadonlyArray<object>>([])

/** Shows the messages, unless a component that was mounted later shows them. */
export const Toasts = () => {
  const own = useMemo(() => ({}), [])
  useEffect(() => {
    hosts.value = [...hosts.value, own]
    return () => {
      hosts.value = hosts.value.filter((host) => host !== own)
    }
  }, [])
  return (
    <div
      class="toasts stack-2"
      role="status"
      aria-live="polite"
      onPointerMove={({ movementX, movementY }) => {
        if (movementX !== 0 || movementY !== 0) isPointed = true
      }}
      onPointerLeave={() => {
        isPointed = false
      }}
    >
      {hosts.value.at(-1) === own && currentToasts().map(showToast)}
    </div>
  )
}

const showToast = (toast: Toast) => (
  <div class={toast.isFault ? "toast box bar is-fault" : "toast box bar"} key={toast.id}>
    <Icon name={toast.isFault ? "alert" : "check"} />
    <span class="grow" dir="auto">
      {toast.text}
    </span>
    {canUndo(toast) && <Button class="is-small" onClick={() => act(toast, "undo")} word="Undo" />}
    {toast.back && <Button class="is-small" onClick={() => act(toast, "back")} word="Go back" />}
    <IconButton icon="close" label="Dismiss" onClick={() => remove(toast.id)} />
  </div>
)

const announced = signal("")
export const announce = (words: string): void => {
  announced.value = words
}

export const Announcer = () => (
  <p class="hidden" role="status">
    {announced}
  </p>
)
