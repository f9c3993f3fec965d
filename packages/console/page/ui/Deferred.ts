/** Tracks actions: bulk actions, and deletes, which are delayed until their message is gone. */
import { signal } from "@preact/signals"
import { notify, notifyFault } from "./Toasts.tsx"

/** The ids of deleted items, even if they can be restored; of a version, until it is erased. */
export const deletedItems = signal<ReadonlySet<string>>(new Set())
const show = (ids: ReadonlySet<string>): void => {
  deletedItems.value = new Set([...deletedItems.value].filter((id) => !ids.has(id)))
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

/** A bulk action, with the number of jobs that it has reached, and of all if it is known. */
type BulkAction = Readonly<{ word: string; reached: number; all: number | undefined }>

/** The running bulk actions, by the functions that stop them after the current request. */
export const bulkActions = signal<ReadonlyMap<() => void, BulkAction>>(new Map())

// A closed page does not send the remaining requests of an action.
confirmBeforeLeaving(() => bulkActions.value.size > 0)

interface Removal {
  /** The coming action. The message adds when: a message stays longer while it is read. */
  readonly message: string
  readonly remove: () => Promise<unknown>
  /** Whether an item still exists after the request. */
  readonly isKept?: (id: string) => boolean
}

export const deleteLater = (
  ids: string | ReadonlyArray<string>,
  { isKept = () => false, message, remove }: Removal
): void => {
  const items = new Set([ids].flat())
  deletedItems.value = new Set([...deletedItems.value, ...items])
  const run = async (): Promise<void> => {
    if (!waiting.delete(run)) return
    try {
      await remove()
      show(new Set([...items].filter(isKept)))
    } catch (fault) {
      show(items)
      notifyFault(fault)
    }
  }
  waiting.add(run)
  notify(`${message} when this message closes.`, {
    undo: () => {
      if (waiting.delete(run)) show(items)
      else notify("Too late: the action can no longer be undone.", { isFault: true })
    },
    onGone: () => void run()
  })
}
