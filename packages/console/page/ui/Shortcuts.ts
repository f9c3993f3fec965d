/**
 * Keys that do something, wherever one is on the page. They can be switched off, for whoever speaks
 * to the page or has a screen reader that takes the same keys.
 */
import { signal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"

/** A key, or two in a row such as `g j`, and what it does. */
export interface Shortcut {
  readonly keys: string
  readonly does: string
  readonly run: () => void
  /** Whether holding the key does it again and again. */
  readonly repeats?: boolean
}

/** All that work now, in the order in which they are listed. */
export const shortcuts = signal<ReadonlyArray<Shortcut>>([])

/** Whether they work. */
export const areOn = signal(true)

/** The second key of two has to come within. */
const pairMillis = 1_200

let before = { key: "", at: 0 }

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"))

/** A key under its name; one that activates what has the focus does nothing else. */
const nameOf = ({ key, target }: KeyboardEvent): string | undefined => {
  if (key !== " ") return key
  const isActivating = target instanceof HTMLElement && target.matches("button, a, summary, input")
  return isActivating ? undefined : "Space"
}

window.addEventListener("keydown", (event) => {
  const { altKey, ctrlKey, metaKey, target } = event
  const key = nameOf(event)
  if (key === undefined) return
  if (!areOn.value || altKey || ctrlKey || metaKey || isWriting(target)) return
  if (document.querySelector("dialog[open]") !== null) return
  const isSecond = event.timeStamp - before.at < pairMillis
  const pair = `${before.key} ${key}`
  const found =
    (isSecond ? shortcuts.value.find(({ keys }) => keys === pair) : undefined) ??
    shortcuts.value.find(({ keys }) => keys === key)
  before = { key, at: event.timeStamp }
  if (found === undefined) return
  event.preventDefault()
  if (!event.repeat || found.repeats === true) found.run()
})

/** Has keys do something for as long as a part of the page is there: what was given last. */
export const useShortcuts = (given: ReadonlyArray<Shortcut>): void => {
  const latest = useRef(given)
  latest.current = given
  // Before it is seen: nobody presses a key sooner than this listens.
  useLayoutEffect(() => {
    const own = given.map(
      (shortcut): Shortcut => ({
        ...shortcut,
        run: () => latest.current.find(({ keys }) => keys === shortcut.keys)?.run()
      })
    )
    shortcuts.value = [...shortcuts.value, ...own]
    return () => {
      shortcuts.value = shortcuts.value.filter((each) => !own.includes(each))
    }
  }, [given.map(({ does, keys }) => keys + does).join()])
}
