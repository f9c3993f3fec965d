/** Ignores repeated clicks and held keys, so that each action runs once. */
import { makeId } from "./Words.ts"

const controlOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest("button, a[href]") : null

/** Intercepts clicks and keys before other handlers get them. */
export const ignoreRepeats = (): void => {
  /** The control under the first in a series of quick clicks, with the words that it then had. */
  let first: { control: Element | null; words: string } = { control: null, words: "" }
  const checkClick = (event: MouseEvent): void => {
    const control = controlOf(event.target)
    const words = `${control?.ariaLabel} ${control?.textContent}`
    // Browsers count quick clicks at the same position. For a keyboard click, the count is zero.
    if (event.detail <= 1) first = { control, words }
    else if (control !== null && (control !== first.control || words !== first.words)) {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
  }
  const checkKey = (event: KeyboardEvent): void => {
    const isWriting = event.target instanceof HTMLTextAreaElement
    if (event.key === "Enter" && event.repeat && !isWriting) event.preventDefault()
  }
  window.addEventListener("click", checkClick, { capture: true })
  window.addEventListener("keydown", checkKey, { capture: true })
}

const running = new Set<string>()

/** Runs a task. If a task with the same name is already running, returns undefined instead. */
export const once = async <Done>(
  name: string,
  task: () => Promise<Done>
): Promise<Done | undefined> => {
  if (running.has(name)) return undefined
  running.add(name)
  try {
    return await task()
  } finally {
    running.delete(name)
  }
}

/** Returns a function that gives equal content the same idempotency key. */
export const makeIdempotencyKeys = (): ((content: unknown) => string) => {
  const keys = new Map<string, string>()
  return (content) => {
    const text = JSON.stringify(content)
    const key = keys.get(text) ?? makeId()
    keys.set(text, key)
    return key
  }
}
