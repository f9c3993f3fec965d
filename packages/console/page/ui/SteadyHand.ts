/** Hands that are quicker than the page: repeat clicks, and keys that are held down. */
import { makeId } from "./Words.ts"

const controlOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest("button, a[href]") : null

/** Sees every click and key before anything else does. */
export const keepHandSteady = (): void => {
  /** The control that the first of several quick clicks hit. */
  let first: Element | null = null
  const judgeClick = (event: MouseEvent): void => {
    const control = controlOf(event.target)
    // The browser counts clicks in quick succession in one place. A click by key counts as none.
    if (event.detail <= 1) first = control
    else if (control !== null && control !== first) {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
  }
  const judgeKey = (event: KeyboardEvent): void => {
    const isWriting = event.target instanceof HTMLTextAreaElement
    if (event.key === "Enter" && event.repeat && !isWriting) event.preventDefault()
  }
  window.addEventListener("click", judgeClick, { capture: true })
  window.addEventListener("keydown", judgeKey, { capture: true })
}

const inHand = new Set<string>()

/** Runs a task, unless one of that name is running: then it returns nothing. */
export const once = async <Done>(
  name: string,
  task: () => Promise<Done>
): Promise<Done | undefined> => {
  if (inHand.has(name)) return undefined
  inHand.add(name)
  try {
    return await task()
  } finally {
    inHand.delete(name)
  }
}

/** Makes what gives the key of a thing that is said, the same whenever it is said again. */
export const makeRepeatKeys = (): ((said: unknown) => string) => {
  const keys = new Map<string, string>()
  return (said) => {
    const text = JSON.stringify(said)
    const key = keys.get(text) ?? makeId()
    keys.set(text, key)
    return key
  }
}
