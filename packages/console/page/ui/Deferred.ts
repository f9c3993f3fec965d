/**
 * Deletes that can be undone. A delete is carried out when its message disappears, or at once when
 * the page is closed or the user logs out.
 */
import { sentenceOf } from "../Api.ts"
import { addPendingDelete } from "./PendingDeletes.ts"
import { notify } from "./Toasts.tsx"

const waiting = new Set<() => Promise<void>>()

/** Carries out all pending deletes at once, and waits for them. */
export const runAllNow = async (): Promise<void> => {
  await Promise.all([...waiting].map((run) => run()))
}

window.addEventListener("pagehide", () => void runAllNow())

const reasons: Array<() => boolean> = []

window.addEventListener("beforeunload", (event) => {
  if (reasons.some((isLosing) => isLosing())) event.preventDefault()
})

/** Makes the browser ask before it closes the page while `isLosing` returns true. */
export const confirmBeforeLeaving = (isLosing: () => boolean): void => {
  reasons.push(isLosing)
}

/** A delete. */
interface Removal {
  readonly message: string
  readonly remove: () => Promise<unknown>
  /** Whether a part of the item is still shown after the delete. */
  readonly staysVisible?: boolean
}

/** Shows a message about a delete, and carries it out unless the user undoes it. */
export const deleteLater = (
  id: string,
  { remove, message, staysVisible = false }: Removal
): void => {
  const show = addPendingDelete(id)
  const run = async (): Promise<void> => {
    if (!waiting.delete(run)) return
    try {
      await remove()
      if (staysVisible) show()
    } catch (fault) {
      show()
      notify(sentenceOf(fault), { isFault: true })
    }
  }
  waiting.add(run)
  notify(message, {
    undo: () => {
      if (waiting.delete(run)) show()
      else notify("Already done: it can no longer be undone.", { isFault: true })
    },
    onGone: () => void run()
  })
}
