/** Delays deletes until their message is gone, the page is closed, or the user logs out. */
import { signal } from "@preact/signals"
import { sentenceOf } from "../Api.ts"
import { notify } from "./Toasts.tsx"

/** The ids of deleted items, even if they can be restored; of a version, until it is erased. */
export const deletedItems = signal<ReadonlySet<string>>(new Set())

/** Hides an item in all lists. The returned function shows it again. */
export const hide = (id: string): (() => void) => {
  deletedItems.value = new Set([...deletedItems.value, id])
  return () => {
    deletedItems.value = new Set([...deletedItems.value].filter((each) => each !== id))
  }
}

const waiting = new Set<() => Promise<void>>()

export const runAllNow = async (): Promise<void> => {
  await Promise.all([...waiting].map((run) => run()))
}

window.addEventListener("pagehide", () => void runAllNow())

/** Makes the browser ask before closing the page while `isLosing` returns true. */
export const confirmBeforeLeaving = (isLosing: () => boolean): void =>
  window.addEventListener("beforeunload", (event) => {
    if (isLosing()) event.preventDefault()
  })

interface Removal {
  readonly message: string
  readonly remove: (id: string) => Promise<unknown>
  readonly staysVisible?: boolean
}

export const deleteLater = (
  ids: string | ReadonlyArray<string>,
  { remove, message, staysVisible = false }: Removal
): void => {
  const items = [ids].flat().map((id) => ({ id, show: hide(id) }))
  const run = async (): Promise<void> => {
    if (!waiting.delete(run)) return
    const faults = new Set<string>()
    // All requests are sent at once, because the page may be closing.
    const removeItem = async ({ id, show }: (typeof items)[number]): Promise<void> => {
      try {
        await remove(id)
        if (staysVisible) show()
      } catch (fault) {
        show()
        faults.add(sentenceOf(fault))
      }
    }
    await Promise.all(items.map(removeItem))
    for (const fault of faults) notify(fault, { isFault: true })
  }
  waiting.add(run)
  notify(message, {
    undo: () => {
      if (waiting.delete(run)) for (const { show } of items) show()
      else notify("Too late: the action can no longer be undone.", { isFault: true })
    },
    onGone: () => void run()
  })
}
