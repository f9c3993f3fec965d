/**
 * What can be undone because it is not done yet: it is done when its message goes, unless somebody
 * takes it back before, and at once where the page is left or the session is ended.
 */
import { notify } from "./Toasts.tsx"

const waiting = new Set<() => Promise<void>>()

/** Does at once whatever waits, and ends when it is done. */
export const doAllNow = async (): Promise<void> => {
  await Promise.all([...waiting].map((run) => run()))
}

window.addEventListener("pagehide", () => void doAllNow())

/** Says that it is done, and does it when nobody has taken it back. */
export const doLater = (given: {
  readonly said: string
  /** Tells by itself what goes wrong. */
  readonly run: () => Promise<void>
  readonly takeBack: () => void
}): void => {
  const run = async (): Promise<void> => {
    if (waiting.delete(run)) await given.run()
  }
  waiting.add(run)
  notify(given.said, {
    undo: () => {
      if (waiting.delete(run)) given.takeBack()
      else notify("It is done already, and cannot be undone any more.", { isFault: true })
    },
    onOver: () => void run()
  })
}
