/**
 * What is not done yet, and can be undone: it is done when its message goes, unless somebody takes
 * it back before, and at once where the page is left or the session is ended.
 */
import { sentenceOf } from "../Api.ts"
import { leave } from "./Leaving.ts"
import { notify } from "./Toasts.tsx"

const waiting = new Set<() => Promise<void>>()

/** Does at once whatever waits, and ends when it is done. */
export const doAllNow = async (): Promise<void> => {
  await Promise.all([...waiting].map((run) => run()))
}

window.addEventListener("pagehide", () => void doAllNow())

const reasons: Array<() => boolean> = []

window.addEventListener("beforeunload", (event) => {
  if (reasons.some((isLosing) => isLosing())) event.preventDefault()
})

/** Has the browser ask before somebody leaves the page who would lose something. */
export const askBeforeLeaving = (isLosing: () => boolean): void => {
  reasons.push(isLosing)
}

/** What is removed, by its id. */
interface Removal {
  readonly said: string
  readonly remove: () => Promise<unknown>
  /** Whether something of it is still shown afterwards. */
  readonly stays?: boolean
}

/** Says that something is gone, and removes it when nobody has taken that back. */
export const removeLater = (id: string, { remove, said, stays = false }: Removal): void => {
  const bringBack = leave(id)
  const run = async (): Promise<void> => {
    if (!waiting.delete(run)) return
    try {
      await remove()
      if (stays) bringBack()
    } catch (fault) {
      bringBack()
      notify(sentenceOf(fault), { isFault: true })
    }
  }
  waiting.add(run)
  notify(said, {
    undo: () => {
      if (waiting.delete(run)) bringBack()
      else notify("It is done already, and cannot be undone any more.", { isFault: true })
    },
    onOver: () => void run()
  })
}
