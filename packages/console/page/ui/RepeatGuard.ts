/** Ignores repeated clicks and keys, and clicks on a control that took another one's place. */
import { makeId } from "./Words.ts"

type Seen = Readonly<{ control: Element | null; words: string }>
const seeControl = ({ target }: Event): Seen => {
  const control = target instanceof Element ? target.closest("button, a[href]") : null
  return { control, words: `${control?.ariaLabel} ${control?.textContent}` }
}

const isSame = (one: Seen, other: Seen): boolean =>
  one.control === other.control && one.words === other.words

export const ignoreRepeats = (): void => {
  let first: Seen = { control: null, words: "" }
  /** The control under the resting pointer. A click means this control, even if it was replaced. */
  let resting: Seen | undefined
  const rest = (event: Event): void => {
    resting = seeControl(event)
  }
  const forget = (): void => {
    resting = undefined
  }
  const checkClick = (event: MouseEvent): void => {
    const clicked = seeControl(event)
    // Browsers count quick clicks at the same position. For a keyboard click, the count is zero.
    const meant = event.detail <= 1 ? event.detail === 1 && resting : first
    if (event.detail <= 1) first = clicked
    forget()
    if (clicked.control !== null && meant && !isSame(clicked, meant)) {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
  }
  const checkKey = (event: KeyboardEvent): void => {
    forget()
    const isWriting = event.target instanceof HTMLTextAreaElement
    if (event.key === "Enter" && event.repeat && !isWriting) event.preventDefault()
  }
  window.addEventListener("pointermove", rest, { capture: true, passive: true })
  window.addEventListener("scroll", forget, { capture: true, passive: true })
  window.addEventListener("click", checkClick, { capture: true })
  window.addEventListener("keydown", checkKey, { capture: true })
}

const running = new Set<string>()

/** Runs a task. If a task with the same name is already running, returns undefined instead. */
export const once = async <Done>(name: string, task: () => Promise<Done>) => {
  if (running.has(name)) return undefined
  running.add(name)
  try {
    return await task()
  } finally {
    running.delete(name)
  }
}

export const makeIdempotencyKeys = (): ((content: unknown) => string) => {
  const keys = new Map<string, string>()
  return (content) => {
    const text = JSON.stringify(content)
    const key = keys.get(text) ?? makeId()
    keys.set(text, key)
    return key
  }
}
