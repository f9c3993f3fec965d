/**
 * What can be undone by not doing it: it is done some seconds later, unless somebody takes it back
 * before, and at once where the page is left.
 */
import { notify, toastMillis } from "./Toasts.tsx"

const waiting = new Set<() => void>()

window.addEventListener("pagehide", () => {
  for (const run of [...waiting]) run()
})

/** Says that it is done, and does it when nobody has taken it back. */
export const doLater = (given: {
  readonly said: string
  readonly run: () => void
  readonly takeBack: () => void
}): void => {
  const run = (): void => {
    if (!waiting.delete(run)) return
    clearTimeout(timer)
    given.run()
  }
  const timer = setTimeout(run, toastMillis)
  waiting.add(run)
  notify(given.said, {
    undo: () => {
      if (!waiting.delete(run)) return
      clearTimeout(timer)
      given.takeBack()
    }
  })
}
